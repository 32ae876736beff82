/** Stack traces for `error_trace=true`: where in this library an error was thrown. */
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ErrorRecord, ErrorType } from '../util/errors.ts'
import { sourceLine } from '../util/source-lines.ts'

/** The folder of the package, with a slash behind it. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Folders of the library's own code; with source maps a built module's frames are in the sources. */
const CODE = /^(?:dist|src)[/\\]/

/**
 * The stack trace of an error: its class and reason, the frames, then its causes.
 * @param record the error as it is printed
 * @param error what was thrown; null for a cause or root, of which no frames are known
 *
 * Frames are the library's own, with paths from there: an answer tells nothing of the machine.
 */
export function stackTrace(record: ErrorRecord, error: unknown): string {
  const lines = [headline(record), ...framesOf(error)]
  for (let cause = record.causedBy; cause !== undefined; cause = cause.causedBy)
    lines.push(`Caused by: ${headline(cause)}`)
  return lines.join('\n')
}

/** As the real server heads a trace: `[i] IndexNotFoundException[no such index [i]]`. */
function headline({ type, reason, extra }: ErrorRecord): string {
  return `${placeOf(extra)}${classNameOf(type)}[${reason}]`
}

/** The class of the real server's that an error of a type has there, without its package. */
export function classNameOf(type: ErrorType): string {
  return type.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

/** The index and shard of an error: `[i/uuid][[i][0]] `; nothing where it concerns none. */
export function placeOf(extra: ErrorRecord['extra']): string {
  const { index, index_uuid: uuid, shard } = extra ?? {}
  if (typeof index !== 'string') return ''
  const isKnown = typeof uuid === 'string' && uuid !== '_na_'
  const place = isKnown ? `[${index}/${uuid}]` : `[${index}]`
  return `${place}${shard === undefined ? '' : `[[${index}][${String(shard)}]]`} `
}

function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  return stack.split('\n').flatMap(line => {
    const at = line.indexOf(ROOT)
    if (at < 0 || !/^\s+at /.test(line)) return []
    const place = line.slice(at + ROOT.length).replace(/\)$/, '')
    if (!CODE.test(place)) return []
    const name = /^\s+at (.*) \(/.exec(line)?.[1] ?? '<anonymous>'
    return [`\tat ${name}(${sourcePlace(place) ?? place.replace(CODE, '')})`]
  })
}

/** `shard/shard.ts:12` for a place in bundled code; null for one that is of a source already. */
function sourcePlace(place: string): string | null {
  const [, file = '', line] = /^(.*?):(\d+)/.exec(place) ?? []
  const source = sourceLine(pathToFileURL(ROOT + file).href, Number(line))
  return source === null ? null : `${source.file}:${source.line}`
}
