import { describe, expect, it } from 'vitest'
import { eachLeftOut } from './requests.ts'

describe('eachLeftOut', () => {
  it('leaves out what is open or optional, one at a time, and never what is required or f', () => {
    const whole = { items: ['a'], targetUsername: 'b', targetFoldername: 'c', f: 'pjson' }
    expect(eachLeftOut('reassign-items', whole)).toEqual([{ ...whole, targetFoldername: undefined }])
  })

  it('keeps all the others as they are', () => {
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
