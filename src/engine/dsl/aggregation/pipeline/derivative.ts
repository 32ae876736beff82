import { parseDuration } from '../../../../util/units.ts'
import { readText } from '../../json-scalars.ts'
import type { PipelineParser } from '../pipeline-parser.ts'
import { readPipeline } from './pipeline-keys.ts'

/** Milliseconds of the calendar's units, which have fixed lengths here. */
const UNITS: { readonly [name: string]: number } = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_629_746_000,
  quarter: 7_889_238_000,
  year: 31_556_952_000,
  '1w': 604_800_000,
  '1M': 2_629_746_000,
  '1q': 7_889_238_000,
  '1y': 31_556_952_000,
}

/** derivative. */
export const derivative: PipelineParser = body => {
  let unitInMillis: number | null = null
  const keys = readPipeline(body, 'derivative', {
    unit: value => {
      const text = readText(value)
      unitInMillis = Object.hasOwn(UNITS, text)
        ? UNITS[text]!
        : parseDuration(text, 'derivative.unit') / 1e6
    },
  })
  return { kind: 'derivative', name: body.name, unitInMillis, ...keys }
}
