/** Descriptions of the tasks, as the real server writes them. */
import type { RequestedScript } from '../../engine/api/scripts.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { ReindexCall, SearchedSource, UpdateByQueryCall } from './by-scroll-call.ts'
import type { RemoteServer } from './remote-server.ts'

/** Of a reindex. */
export function describeReindex({ source, script, dest, remote }: ReindexCall): string {
  return `reindex from ${remote === null ? '' : describeRemote(remote)}${indicesOf(source)}${updatedWith(script)} to [${dest.index}]`
}

/** Of an update by query. */
export function describeUpdate({ source, script }: UpdateByQueryCall): string {
  return `update-by-query ${indicesOf(source)}${updatedWith(script)}`
}

/** Of a deletion by query. */
export function describeDelete(source: SearchedSource): string {
  return `delete-by-query ${indicesOf(source)}`
}

function describeRemote({ scheme, host, port, query, username, password }: RemoteServer): string {
  const text = query === null ? MATCH_ALL : new TextDecoder().decode(writeJson(jsonValueOf(query)))
  const who = username === null ? '' : ` username=${username}`
  const secret = password === null ? '' : ' password=<<>>'
  const start = scheme === 'http' ? '' : `scheme=${scheme} `
  return `[${start}host=${host} port=${port} query=${text}${who}${secret}]`
}

const MATCH_ALL = '{"match_all":{}}'

function indicesOf({ target }: SearchedSource): string {
  return target.names.length === 0 ? '[all indices]' : `[${target.names.join(', ')}]`
}

function updatedWith(script: RequestedScript | null): string {
  if (script === null) return ''
  const { source, id, lang, options, params } = script
  const kind =
    id === null ? `inline, lang='${lang}', idOrCode='${source}'` : `stored, idOrCode='${id}'`
  const given = Array.from(options, ([key, value]) => `${key}=${value}`).join(', ')
  const values = params === null ? '{}' : new TextDecoder().decode(writeJson(jsonValueOf(params)))
  return ` updated with Script{type=${kind}, options={${given}}, params=${values}}`
}
