/** Why a file cannot be read, as the end of a line for users. `folder`: the words if the path is a folder. */
export function whyUnreadable(error: unknown, folder = 'it is a folder; a file is expected'): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EISDIR') return folder
  if (code === 'EACCES' || code === 'EPERM') return 'no right to read it'
  return message
}
