/** Patterns of URLs, each part of which is one of its own. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import { matchesWildcard } from '../../../util/wildcard.ts'

/** The parts of a pattern, in which `*` stands for any text. */
export interface UrlPattern {
  readonly scheme: string
  /** An address of version 6 in brackets. */
  readonly host: string
  /** `*`: the pattern names none. */
  readonly port: string
  readonly path: string
}

/** @throws {IllegalArgumentError} it names no host and no path */
export function parseUrlPattern(text: string): UrlPattern {
  const match = /^([a-z*]+):\/\/(\[[^\]]+\]|[^/:@?#[\]]+)(?::(\d+|\*))?(\/[^?#]*)$/i.exec(text)
  if (match === null)
    throw new IllegalArgumentError(
      `failed to parse value [${text}] for setting [repositories.url.allowed_urls]: it has to be a URL of a ` +
        'host and a path, without a user or a query',
    )
  const [, scheme, host, port, path] = match
  return {
    scheme: scheme!.toLowerCase(),
    host: host!.toLowerCase(),
    port: port ?? '*',
    path: path!,
  }
}

/** Whether a URL, which is normal, is one of a pattern. */
export function matchesUrl({ scheme, host, port, path }: UrlPattern, url: URL): boolean {
  const usual = url.protocol === 'https:' ? '443' : '80'
  return (
    matchesWildcard(scheme, url.protocol.slice(0, -1)) &&
    matchesWildcard(host, url.hostname) &&
    matchesWildcard(port, url.port === '' ? usual : url.port) &&
    (matchesWildcard(path, url.pathname) || matchesWildcard(path, url.pathname.replace(/\/$/, '')))
  )
}
