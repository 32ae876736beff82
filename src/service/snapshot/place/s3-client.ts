/** Requests to a server that speaks the protocol of S3. */
import type { S3 } from '@aws-sdk/client-s3'
import type { Settings } from '../../../schema/settings.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { optionalPackage } from '../../../util/optional-package.ts'
import { Secret } from '../../../util/secret.ts'
import { parseDuration } from '../../../util/units.ts'
import { repositoryError } from '../snapshot-errors.ts'

/** A client whose failures are told without what they may repeat. */
export interface S3Requests {
  /** How often a body that breaks off is asked for again. */
  readonly maxRetries: number
  /**
   * Asks the server.
   * @param name of the request, for errors
   * @throws {EngineError} `s3_exception`: the server refused, or could not be reached
   */
  ask<T>(name: string, request: (s3: S3) => Promise<T>): Promise<T>
}

/** Settings of one client. */
export interface S3ClientSettings {
  /** Null: that of the region. */
  readonly endpoint: string | null
  readonly region: string
  /** Whether the bucket stands in the path, not in the name of the host. */
  readonly hasPathStyle: boolean
  readonly timeoutInMillis: number
  readonly maxRetries: number
  readonly accessKey: Secret
  readonly secretKey: Secret
  readonly sessionToken: Secret | null
}

/**
 * Reads the settings of a client: `s3.client.⟨client⟩.…` of the node. Keys come from a file below `path.conf`, or from
 * the environment.
 * @param readFile lines of a file in `path.conf`
 * @throws {EngineError} `repository_exception`: no such client, no keys; `illegal_argument_exception`
 */
export function s3ClientSettings(
  repository: string,
  client: string,
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  readFile: (path: string) => readonly string[],
): S3ClientSettings {
  const prefix = `s3.client.${client}.`
  const text = (key: string, otherwise: string): string => {
    const value = settings.get(prefix + key)
    return value === null || value === '' ? otherwise : String(value)
  }
  const isKnown = [...settings.toMap().keys()].some(key => key.startsWith(prefix))
  if (!isKnown && client !== 'default')
    throw repositoryError(repository, `Unknown s3 client name [${client}]`)
  const file = text('credentials', '')
  const keys = file === '' ? environmentKeys(environment) : fileKeys(prefix, readFile(file))
  const accessKey = keys.get('access_key')
  const secretKey = keys.get('secret_key')
  if (accessKey === undefined || secretKey === undefined)
    throw repositoryError(
      repository,
      `no keys for the s3 client [${client}]: set [${prefix}credentials] to a file with [access_key] and ` +
        '[secret_key], or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment',
    )
  const endpoint = text('endpoint', '')
  return {
    endpoint: endpoint === '' ? null : endpointOf(`${prefix}endpoint`, endpoint),
    region: text('region', 'us-east-1'),
    hasPathStyle: text('path_style_access', 'false') === 'true',
    timeoutInMillis: parseDuration(text('read_timeout', '50s'), `${prefix}read_timeout`) / 1e6,
    maxRetries: Number(text('max_retries', '3')),
    accessKey,
    secretKey,
    sessionToken: keys.get('session_token') ?? null,
  }
}

function endpointOf(key: string, given: string): string {
  const text = given.includes('://') ? given : `https://${given}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new IllegalArgumentError(`failed to parse value for setting [${key}] as a URL`)
  return url.href
}

function environmentKeys(environment: NodeJS.ProcessEnv): ReadonlyMap<string, Secret> {
  const keys = new Map<string, Secret>()
  for (const [key, variable] of [
    ['access_key', 'AWS_ACCESS_KEY_ID'],
    ['secret_key', 'AWS_SECRET_ACCESS_KEY'],
    ['session_token', 'AWS_SESSION_TOKEN'],
  ] as const) {
    const value = environment[variable]
    if (value !== undefined && value !== '') keys.set(key, new Secret(value))
  }
  return keys
}

/** Lines of `key: value`. No line is shown in an error: each may hold a key. */
function fileKeys(prefix: string, lines: readonly string[]): ReadonlyMap<string, Secret> {
  const keys = new Map<string, Secret>()
  for (const [i, line] of lines.entries()) {
    const match = /^(access_key|secret_key|session_token)\s*[:=]\s*(\S+)$/.exec(line.trim())
    if (match === null)
      throw new IllegalArgumentError(
        `line [${i + 1}] of the file of [${prefix}credentials] is none of [access_key: …], [secret_key: …], ` +
          '[session_token: …]',
      )
    keys.set(match[1]!, new Secret(match[2]!))
  }
  return keys
}

/**
 * Opens a client; it connects with its first request.
 * @throws {IllegalArgumentError} the package is not installed
 */
export function openS3Client(settings: S3ClientSettings): S3Requests {
  const sdk = optionalPackage<typeof import('@aws-sdk/client-s3')>(
    '@aws-sdk/client-s3',
    'repository of type s3',
  )
  const { endpoint, sessionToken, timeoutInMillis } = settings
  const client = new sdk.S3({
    ...(endpoint === null ? {} : { endpoint }),
    region: settings.region,
    forcePathStyle: settings.hasPathStyle,
    maxAttempts: settings.maxRetries + 1,
    credentials: {
      accessKeyId: settings.accessKey.reveal(),
      secretAccessKey: settings.secretKey.reveal(),
      ...(sessionToken === null ? {} : { sessionToken: sessionToken.reveal() }),
    },
    requestHandler: {
      connectionTimeout: timeoutInMillis,
      requestTimeout: timeoutInMillis,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutInMillis,
    },
    // Files have checksums of their own, and other servers do not know those of AWS.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    maxRetries: settings.maxRetries,
    async ask(name, request) {
      try {
        return await request(client)
      } catch (error) {
        throw s3Error(name, error)
      }
    },
  }
}

/** A failure by its name and status alone: messages of servers may repeat what was sent. */
export function s3Error(request: string, error: unknown): EngineError {
  const { name, code, $metadata } = error as {
    readonly name?: string
    readonly code?: string
    readonly $metadata?: { readonly httpStatusCode?: number }
  }
  const status = $metadata?.httpStatusCode
  const what = /^[\w.-]{1,100}$/.exec(code ?? name ?? '')?.[0] ?? 'an error'
  return new EngineError({
    type: 's3_exception',
    reason: `[${request}] failed with [${what}]${status === undefined ? '' : `, status [${status}]`}`,
    status: 500,
  })
}
