import { createPublicKey } from 'node:crypto'
import type { JWTPayload, JWTVerifyGetKey, KeyObject } from 'jose'
import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { KeysUnavailableError, RemoteKeys } from './remote-keys.ts'
import type { SecurityUser } from './security-user.ts'

const PREFIX = 'plugins.security.authc.jwt'
/** Signatures with a public key: with these nobody who can check a token can make one. */
const PUBLIC = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
/** Those of keys that are shared are for sets of keys alone, where each says what it is for. */
const SHARED = ['HS256', 'HS384', 'HS512']
const MAX_NAME = 1_024
/** `alg`, `kid` and claims are short: whatever is longer is no token of ours. */
const MAX_TOKEN = 16_384
const TOKEN = /^(?:bearer +)?([\w-]+\.[\w-]+\.[\w-]+)$/i

/** How long keys that were fetched hold, known or not: one that was withdrawn ends then. */
const MAX_AGE_IN_MILLIS = 600_000

/** The user of a token, for so long. */
export interface TokenUser {
  readonly user: SecurityUser
  readonly lifeInMillis: number
}

/** Checks a token; null: it is not to be trusted. */
type CheckToken = (token: string) => Promise<JWTPayload | null>

/** Finds out who is asking, by signed tokens (JWT). */
export class JwtTokens {
  /** The header that tokens come in, in lower case. */
  readonly header: string
  readonly #settings: Settings
  /** The text of a file, or keys that are fetched. */
  readonly #key: string | RemoteKeys
  #loading: Promise<CheckToken> | null = null

  /**
   * @param read the text of a file in the configuration folder
   * @throws {IllegalArgumentError} the file of keys cannot be read, or holds none; the URL of keys is none
   */
  constructor(settings: Settings, read: (path: string) => string) {
    this.#settings = settings
    this.header = nodeSettings.text(settings, `${PREFIX}.jwt_header`).toLowerCase()
    // As on the real server, a file beside a URL is not read.
    this.#key = RemoteKeys.areAsked(settings)
      ? new RemoteKeys(settings)
      : keyIn(read(nodeSettings.text(settings, `${PREFIX}.signing_key_filepath`)))
  }

  /** Whether a header is meant to hold a token. */
  isToken(value: string): boolean {
    return this.header !== 'authorization' || /^bearer\b/i.test(value)
  }

  /**
   * The user of a header; null: it is no token that is to be trusted.
   * @throws {KeysUnavailableError} keys had to be fetched, and could not be
   */
  async userOf(value: string): Promise<TokenUser | null> {
    const token = TOKEN.exec(value)?.[1]
    if (token === undefined || token.length > MAX_TOKEN) return null
    this.#loading ??= checkerOf(this.#settings, this.#key)
    const claims = await (await this.#loading)(token)
    if (claims === null) return null
    const subject = claims[nodeSettings.text(this.#settings, `${PREFIX}.subject_key`)]
    if (typeof subject !== 'string' || subject === '' || subject.length > MAX_NAME) return null
    if (/\p{Cc}/u.test(subject)) return null
    return {
      user: {
        name: subject,
        backendRoles: rolesIn(claims, nodeSettings.text(this.#settings, `${PREFIX}.roles_key`)),
        requestedTenant: null,
        ownRoles: [],
        attributes: attributesOf(claims),
        isInternal: false,
      },
      lifeInMillis: Math.max(0, (claims.exp ?? 0) * 1_000 - Date.now()),
    }
  }
}

/** Whether a node of these settings takes tokens. */
export function takesTokens(settings: Settings): boolean {
  const file = nodeSettings.text(settings, `${PREFIX}.signing_key_filepath`)
  return file !== '' || RemoteKeys.areAsked(settings)
}

/** A set of keys as JSON, or else one public key in PEM. */
function isKeySet(key: string): boolean {
  return key.trimStart().startsWith('{')
}

function keyIn(key: string): string {
  try {
    if (!isKeySet(key)) createPublicKey(key)
    else if (!Array.isArray((JSON.parse(key) as { keys?: unknown }).keys))
      throw new Error('no keys')
    return key
  } catch {
    throw new IllegalArgumentError(
      `the file of [${PREFIX}.signing_key_filepath] holds neither a public key in PEM nor a set of keys (JWKS)`,
    )
  }
}

async function checkerOf(settings: Settings, key: string | RemoteKeys): Promise<CheckToken> {
  const { createLocalJWKSet, createRemoteJWKSet, customFetch, jwtVerify } = await import('jose')
  const isFile = typeof key === 'string'
  const isSet = isFile && isKeySet(key)
  const remote = (keys: RemoteKeys): JWTVerifyGetKey =>
    createRemoteJWKSet(keys.url, {
      timeoutDuration: keys.timeoutInMillis,
      cooldownDuration: keys.pauseInMillis,
      cacheMaxAge: MAX_AGE_IN_MILLIS,
      [customFetch]: (_url: string, { signal }: { readonly signal: AbortSignal }) =>
        keys.fetch(signal),
    })
  const found: KeyObject | JWTVerifyGetKey = !isFile
    ? named(key, remote(key))
    : isSet
      ? createLocalJWKSet(JSON.parse(key))
      : createPublicKey(key)
  const issuer = nodeSettings.text(settings, `${PREFIX}.required_issuer`)
  const audience = nodeSettings.list(settings, `${PREFIX}.required_audience`)
  const options = {
    // Whoever can fetch a set that is published could sign with a shared key in it.
    algorithms: isSet ? [...PUBLIC, ...SHARED] : PUBLIC,
    // One that never ends could never be taken back.
    requiredClaims: ['exp'],
    clockTolerance:
      nodeSettings.number(settings, `${PREFIX}.jwt_clock_skew_tolerance_seconds`) ?? 0,
    ...(issuer === '' ? {} : { issuer }),
    ...(audience.length === 0 ? {} : { audience: [...audience] }),
  }
  return async token => {
    try {
      const { payload } =
        typeof found === 'function'
          ? await jwtVerify(token, found, options)
          : await jwtVerify(token, found, options)
      return payload
    } catch (error) {
      if (error instanceof KeysUnavailableError) throw error
      // The sender is not told why his token is refused.
      return null
    }
  }
}

/** Keys of a set that is fetched have to be named, as on the real server. */
function named(keys: RemoteKeys, find: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    if (typeof header?.kid !== 'string') throw new Error('no key is named')
    return await keys.waitFor(async () => await find(header, token))
  }
}

/** The backend roles in a claim: a list, or texts between commas. */
function rolesIn(claims: JWTPayload, key: string): readonly string[] {
  const value = key === '' ? undefined : claims[key]
  const roles = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  return roles
    .filter((role): role is string => typeof role === 'string')
    .map(role => role.trim())
    .filter(role => role !== '')
}

/** Texts as they are, other claims as JSON: a query may list the values of one. */
function attributesOf(claims: JWTPayload): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(claims).map(([name, value]) => [
      `attr.jwt.${name}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}
