/** What stands in for what is hidden. */

export const hidden = '***'

/** In place of an e-mail address. */
export const hiddenAddress = '***@***'
