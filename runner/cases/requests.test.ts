import { describe, expect, it } from 'vitest'
import { eachLeftOut } from './requests.ts'

describe('eachLeftOut', () => {
  it('omits an optional parameter, and neither required ones nor f', () => {
    const whole = { items: ['a'], targetUsername: 'b', targetFoldername: 'c', f: 'pjson' }
    expect(eachLeftOut('reassign-items', whole)).toEqual([{ ...whole, targetFoldername: undefined }])
  })

  it('omits one parameter per request and keeps the others', () => {
    const whole = {
      collaborationWorkspaceName: 'a',
      collaborationWorkspaceDescription: 'b',
      portalGroupId: 'c',
    }
    expect(eachLeftOut('add-workspace', whole)).toEqual([
      { ...whole, collaborationWorkspaceName: undefined },
      { ...whole, collaborationWorkspaceDescription: undefined },
      { ...whole, portalGroupId: undefined },
    ])
  })
})
