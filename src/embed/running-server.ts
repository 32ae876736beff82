import type { NodeInfo } from '../engine/api/cluster.ts'
import type { Dispatcher } from '../rest/dispatch.ts'
import { startHttpServer } from '../rest/http-server.ts'
import { speaksTls } from '../rest/tls-options.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { checkOptions, type OptionKeys } from './arguments.ts'

/** Where a server listens. */
export interface ServeOptions {
  /** Default: the node's `http.host`, 127.0.0.1. */
  readonly host?: string
  /** Default: the node's `http.port`, 9200; 0 takes any free one. */
  readonly port?: number
  /** Allows a host that other machines reach without users, or without TLS. */
  readonly insecure?: boolean
}

/** The keys of `ServeOptions`. */
export const SERVE_OPTIONS: OptionKeys<ServeOptions> = { host: true, port: true, insecure: true }

/** A server that runs. */
export interface RunningServer extends AsyncDisposable {
  readonly host: string
  readonly port: number
  /** For example `http://127.0.0.1:9200`; `https:` where it speaks TLS. */
  readonly url: string
  /** Accepts nothing more, finishes what runs for so long, then cancels it; default 5 s. */
  close(graceInMillis?: number): Promise<void>
}

const DEFAULT_PORT = '9200'
const DEFAULT_HOST = '127.0.0.1'
const GRACE_IN_MILLIS = 5_000

/**
 * Puts a dispatcher on a socket.
 * @param onClosed called once, when the server has closed
 * @throws {EngineError} a port that is taken, a host that needs `insecure`
 */
export async function startServer(
  dispatcher: Dispatcher,
  settings: NodeInfo['settings'],
  options: ServeOptions,
  onClosed: () => void,
): Promise<RunningServer> {
  checkOptions('option of serve', options, SERVE_OPTIONS)
  const host = options.host ?? String(settings.get('http.host') ?? DEFAULT_HOST)
  const port = options.port ?? Number(settings.get('http.port') ?? DEFAULT_PORT)
  if (!isLoopback(host) && options.insecure !== true) checkGuard(dispatcher, settings, host)
  const server = await startHttpServer(dispatcher, { host, port, settings }).catch(
    (error: unknown) => {
      throw listenError(error, host, port)
    },
  )
  let closing: Promise<void> | undefined
  const close = (graceInMillis = GRACE_IN_MILLIS): Promise<void> => {
    closing ??= server.close(graceInMillis).finally(onClosed)
    return closing
  }
  return {
    host,
    port: server.port,
    url: `${server.isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/**
 * Passes a host that other machines reach if they are asked for a user, over TLS.
 * @throws {IllegalArgumentError}
 */
function checkGuard(dispatcher: Dispatcher, settings: NodeInfo['settings'], host: string): void {
  const isEncrypted = speaksTls(settings)
  if (dispatcher.asksForUsers && isEncrypted) return
  const lack = dispatcher.asksForUsers
    ? 'passwords would be sent unencrypted: set [plugins.security.ssl.http.*]'
    : 'nobody is asked for a password: make a user (`lamella security init`)'
  throw new IllegalArgumentError(
    `host [${host}] can be reached from other machines, and ${lack}, listen on 127.0.0.1, or ` +
      'allow it explicitly (--insecure; insecure: true)',
  )
}

/** Whether an address, or name, is this machine's own. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function listenError(error: unknown, host: string, port: number): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === undefined) return error
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'it is taken: stop what listens there, or choose another port (0: any free one)',
    EACCES: 'this user may not listen there: choose a port of at least 1024',
    EADDRNOTAVAIL: 'this machine has no such address',
    ENOTFOUND: 'the name does not resolve',
  }
  return new EngineError({
    type: 'illegal_state_exception',
    reason: `cannot listen on [${host}:${port}]: ${reasons[code] ?? code}`,
    extra: { code },
  })
}
