/** Lines about searches and documents that took longer than the thresholds of their index. */
import { indexSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { IndexOperation } from '../../shard/write-operation.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import { durationText } from '../../util/units.ts'
import type { LogLevel, LogLine } from '../api/log-line.ts'

/** From the most severe on: the first threshold that is passed names the line's level. */
const LEVELS = ['WARN', 'INFO', 'DEBUG', 'TRACE'] as const

const NAMES: readonly string[] = LEVELS

/** The timed operations: the phases of a search, and the indexing of a document. */
export type TimedWork = 'query' | 'fetch' | 'index'

/** Thresholds in nanoseconds by level, those below the log's level left out; Infinity: none. */
type Thresholds = readonly number[]

const known: { readonly [W in TimedWork]: WeakMap<Settings, Thresholds> } = {
  query: new WeakMap(),
  fetch: new WeakMap(),
  index: new WeakMap(),
}

function areaOf(work: TimedWork): 'search' | 'indexing' {
  return work === 'index' ? 'indexing' : 'search'
}

function thresholdsOf(settings: Settings, work: TimedWork): Thresholds {
  let thresholds = known[work].get(settings)
  if (thresholds === undefined) {
    const log = `index.${areaOf(work)}.slowlog`
    const level = indexSettings.text(settings, `${log}.level`).toUpperCase()
    const lowest = NAMES.indexOf(level)
    thresholds = LEVELS.map((name, i) => {
      const nanos = indexSettings.nanos(settings, `${log}.threshold.${work}.${name.toLowerCase()}`)
      return i > lowest || nanos === null || nanos < 0 ? Number.POSITIVE_INFINITY : nanos
    })
    known[work].set(settings, thresholds)
  }
  return thresholds
}

/** The least time that is logged, nanoseconds; Infinity: none is. */
export function leastLogged(settings: Settings, work: TimedWork): number {
  return Math.min(...thresholdsOf(settings, work))
}

/** The level at which an index logs work of some nanoseconds; null: it does not. */
export function slowLevel(settings: Settings, work: TimedWork, nanos: number): LogLevel | null {
  const passed = thresholdsOf(settings, work).findIndex(threshold => nanos > threshold)
  return LEVELS[passed] ?? null
}

/** A line of a slow log. */
export function slowLine(level: LogLevel, work: TimedWork, message: string): LogLine {
  return { logger: `index.${areaOf(work)}.slowlog.${work}`, level, message }
}

/** The time of a line, with which all begin. */
export function tookText(nanos: number): string {
  return `took[${durationText(Math.round(nanos))}], took_millis[${Math.floor(nanos / 1e6)}], `
}

/** The line of a document. @param index its name and UUID */
export function slowDocument(
  index: { readonly name: string; readonly uuid: string },
  settings: Settings,
  { id, routing, source }: IndexOperation,
  nanos: number,
): string {
  const shown = shownSource(settings, source)
  return (
    `[${index.name}/${index.uuid}] ${tookText(nanos)}id[${id}], routing[${routing ?? ''}]` +
    (shown === null ? '' : `, source[${shown}]`)
  )
}

/** As much of a source as the index logs; null: nothing. */
function shownSource(settings: Settings, source: Uint8Array): string | null {
  const asked = indexSettings.text(settings, 'index.indexing.slowlog.source')
  const most = asked === 'true' ? Number.POSITIVE_INFINITY : asked === 'false' ? 0 : Number(asked)
  if (most === 0 || source.length === 0) return null
  const isReformatted = indexSettings.boolean(settings, 'index.indexing.slowlog.reformat')
  const text = decodeUtf8(isReformatted ? writeJson(jsonValueOf(parseJsonTree(source))) : source)
  return truncated(text, most).trim()
}

/** At most so many UTF-16 units, no pair of them cut in two. */
function truncated(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most)
}
