/** Whether a URL stays on this machine, where a run may do as it likes. */

/** True for localhost, 127.0.0.0/8 and ::1. Throws where the text is no URL. */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.toLowerCase()
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127\.\d+\.\d+\.\d+$/.test(host) ||
    host === '[::1]' ||
    host.startsWith('[::ffff:7f')
  )
}
