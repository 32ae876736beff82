import { illegalState } from '../../../../pipeline/processor-failure.ts'
import { type ScriptValue, scalarText } from '../../../../script/value/script-value.ts'
import { jsonOfValue } from '../../../../script/value/write-value.ts'
import { decodeUtf8 } from '../../../../util/bytes.ts'
import { writeJson } from '../../../../util/json/json-writer.ts'
import type { PrintedHit } from '../../../response/printed-hit.ts'
import { idOf, scoreOf, valuesOf } from '../response-hits.ts'
import type { ResponseProcessorType } from '../search-processor.ts'

/** The group of hits that do not have the field. */
const MISSING = '<missing>'

/** `collapse`: of hits with one value of a field the best, by score. */
export const COLLAPSE: ResponseProcessorType = {
  name: 'collapse',
  parse(config) {
    const field = config.text('field')
    return hits => {
      const groups = new Map<string, PrintedHit>()
      for (const hit of hits) {
        const group = groupOf(hit, field)
        const before = groups.get(group)
        if (before === undefined || scoreOf(hit) > scoreOf(before)) groups.set(group, hit)
      }
      return [...groups.values()].sort(byScore)
    }
  },
}

function groupOf(hit: PrintedHit, field: string): string {
  const { fields, source } = valuesOf(hit, field)
  if (fields !== undefined && fields.length > 1)
    throw illegalState(`Document ${idOf(hit)} has multiple values for field ${field}`)
  const value = fields === undefined ? source : fields[0]
  return value === undefined || value === null ? MISSING : textOf(value)
}

function textOf(value: ScriptValue): string {
  return scalarText(value) ?? decodeUtf8(writeJson(jsonOfValue(value)))
}

/** Descending; hits without a score, which have none all together, stay as they were. */
function byScore(a: PrintedHit, b: PrintedHit): number {
  const difference = scoreOf(b) - scoreOf(a)
  return Number.isNaN(difference) ? 0 : difference
}
