/** Requests that hunt for what a user may not see, and what their answers tell. */
import type { Asker } from '../../src/task/access.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { basicAuth, type SecuredRest } from './secured-rest.ts'

const PEER = { address: '127.0.0.1', port: 1 }

/** A request as it is sent. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** Who a user is, found out by his password as a server would. */
export async function askerOf({ rest }: SecuredRest, name: string): Promise<Asker> {
  const head = { headers: { authorization: basicAuth(name) }, peer: PEER }
  const found = await rest.dispatcher.admit('GET', head)
  if ('refusal' in found) throw new Error(`${name} was refused with ${found.refusal.status}`)
  return found
}

/**
 * The attempts whose answers tell what is hidden, and failures of the server.
 * @param tells whether an answer does
 */
export async function leaksTo(
  { rest }: SecuredRest,
  asker: Asker,
  attempts: readonly Sent[],
  tells: (text: string, sent: Sent) => boolean,
): Promise<string[]> {
  const found: string[] = []
  for (const sent of attempts) {
    const { method, path, body } = sent
    const headers = body === '' ? {} : { 'content-type': 'application/json' }
    const request = { method, path, headers, body: encodeUtf8(body) }
    const answer = await rest.dispatcher.dispatch(request, asker)
    const text = Buffer.from(answer.body).toString()
    if (tells(text, sent) || (answer.status >= 500 && answer.status !== 503))
      found.push(`${method} ${path} ${body}: ${answer.status} ${text.slice(0, 400)}`)
  }
  return found
}

/** A path below a name of an index, which may have parameters of its own. */
export function at(name: string, rest: string, query = ''): string {
  const [index = '', own = ''] = name.split('?')
  const params = [own, query].filter(part => part !== '').join('&')
  return `/${index}/${rest}${params === '' ? '' : `?${params}`}`
}

/** The same name as a body holds it. */
export function plain(name: string): string {
  return decodeURIComponent(name.split('?')[0] ?? '')
}
