import { fileURLToPath } from 'node:url'
import type { EngineApi } from '../../../engine/api/engine-api.ts'
import { notSupported } from '../../../schema/mapping-errors.ts'
import { OutboundClient } from '../../outbound.ts'
import { outboundGuard } from '../../outbound-guard.ts'
import { settingList } from '../../setting-list.ts'
import { repositoryError } from '../snapshot-errors.ts'
import type { RepositoryStores } from './file-store.ts'
import { openFolder } from './folder-place.ts'
import { HttpStore } from './http-store.ts'
import type { RepositoryType } from './repository-type.ts'
import { matchesUrl, parseUrlPattern } from './url-pattern.ts'

/** Protocols that the real server reads, beside files and over HTTP. */
const OTHER_PROTOCOLS = ['ftp', 'jar']
const ALLOWED_URLS = 'repositories.url.allowed_urls'

const TIMEOUT_IN_MILLIS = 30_000

/** `url`: a folder that is only read, by its URL. */
export const URL_PLACE: RepositoryType = {
  keys: ['url', 'max_restore_bytes_per_sec'],
  isReadOnly: true,
  chunkSize: '',
  readPlace(name, text) {
    const given = text('url', '')
    if (given === '') throw repositoryError(name, 'missing url')
    const protocol = /^([a-z][a-z0-9+.-]*):/i.exec(given)?.[1]?.toLowerCase() ?? ''
    if (OTHER_PROTOCOLS.includes(protocol)) throw notSupported(`url: ${protocol}`)
    if (protocol === 'http' || protocol === 'https') {
      const url = webUrlOf(name, given)
      return engine => openServer(name, url, engine)
    }
    if (protocol !== 'file')
      throw repositoryError(name, `unsupported url protocol [${protocol}] from URL [${given}]`)
    const location = fileOf(name, given)
    return engine => openFolder(name, location, engine)
  },
}

/** The folder that a URL names. */
function fileOf(name: string, text: string): string {
  try {
    return fileURLToPath(text)
  } catch {
    throw repositoryError(name, `cannot parse URL [${text}]`)
  }
}

/** A URL of a folder on a server, with its last slash. It is not shown where it may hold a password. */
function webUrlOf(name: string, text: string): URL {
  if (!URL.canParse(text)) throw repositoryError(name, 'cannot parse the specified url')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw repositoryError(name, 'the specified url has a user, a query or a fragment')
  // A path that a server decodes a second time may lead out of the allowed folder.
  if (/%(2e|2f|5c|25|00)/i.test(url.pathname))
    throw repositoryError(name, `cannot parse the specified url [${text}]`)
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/**
 * Opens a repository that a server hands out.
 * @throws {EngineError} `repository_exception`: no setting of the node allows the URL
 */
function openServer(name: string, url: URL, engine: EngineApi): RepositoryStores {
  const { settings } = engine.cluster.nodeInfo()
  const patterns = settingList(settings.get(ALLOWED_URLS)).map(parseUrlPattern)
  const matching = patterns.filter(pattern => matchesUrl(pattern, url))
  if (matching.length === 0)
    throw repositoryError(
      name,
      `file url [${url.href}] doesn't match any of the locations specified by path.repo or ${ALLOWED_URLS}`,
    )
  // An address that is not public has to be named, as for all connections to the outside.
  const guard = outboundGuard({
    allowed: matching.map(({ host, port }) => `${host}:${port}`),
    trusted: settingList(settings.get('lamella.outbound.allowlist')),
    trustsLocalhost: matching.some(({ host }) => host === 'localhost'),
  })
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const client = new OutboundClient(
    {
      scheme,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port === '' ? (scheme === 'https' ? 443 : 80) : url.port),
      tls: { verification: 'full' },
      connectTimeoutInMillis: TIMEOUT_IN_MILLIS,
      socketTimeoutInMillis: TIMEOUT_IN_MILLIS,
      maxBytes: 0,
    },
    guard,
  )
  return {
    id: url.href,
    files: new HttpStore(client, url.pathname),
    blobs: new HttpStore(client, `${url.pathname}blobs/`),
  }
}
