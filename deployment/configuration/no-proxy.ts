/** Which hosts are asked without a proxy: the notation of NO_PROXY, as curl reads it. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** The entries of a variable such as NO_PROXY: separated by commas or white space. */
export function noProxyEntries(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '')
}

/**
 * Whether one of the entries names the host of that origin: `*`, a host (its subdomains are meant as well), `.domain`,
 * an address, a network such as 10.0.0.0/8; all but networks may end in a port.
 */
export function goesPast(entries: readonly string[], origin: string): boolean {
  const { hostname, port, protocol } = new URL(origin)
  const host = bare(hostname)
  const portOf = port || (protocol === 'https:' ? '443' : '80')
  return entries.some((entry) => matches(entry.toLowerCase(), host, portOf))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return isWithin(entry, host)
  const [name, ofPort] = splitPort(entry)
  if (ofPort !== undefined && ofPort !== port) return false
  if (isIPv6(name)) return isIPv6(host) && isWithin(`${name}/128`, host)
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '')
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
}

function isWithin(network: string, host: string): boolean {
  const [address = '', prefix = ''] = network.split('/')
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const longest = family === 'ipv4' ? 32 : 128
  if (!(isIPv4(address) || isIPv6(address)) || !/^\d{1,3}$/.test(prefix) || Number(prefix) > longest)
    return false
  if (!(isIPv4(host) || isIPv6(host))) return false
  const block = new BlockList()
  block.addSubnet(address, Number(prefix), family)
  return block.check(host, isIPv4(host) ? 'ipv4' : 'ipv6')
}

/** Splits at the last colon; what holds several and no brackets is an address of IPv6 without a port. */
function splitPort(entry: string): [name: string, port?: string] {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry)
  if (bracketed) return [bracketed[1] as string, bracketed[2]] as [string, string?]
  const plain = /^([^:]*):(\d+)$/.exec(entry)
  return plain ? [plain[1] as string, plain[2] as string] : [entry]
}

const bare = (hostname: string) =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
