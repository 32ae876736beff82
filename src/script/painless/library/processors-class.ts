/** `Processors`: functions of processors, for scripts of pipelines. */

import { encodeUtf8 } from '../../../util/bytes.ts'
import { EngineError } from '../../../util/errors.ts'
import { urlDecode } from '../../../util/url-decode.ts'
import { illegalArgument } from '../../java-faults.ts'
import { ScriptFault } from '../../script-fault.ts'
import { chargeMap, chargeText } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { sizeInBytes } from '../../size-in-bytes.ts'
import { readValue } from '../../value/read-value.ts'
import type { ScriptMap, ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import { staticClass } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

/** Memory that values read from JSON take, per unit of their text. */
const BYTES_PER_UNIT = 16

/** Classes of the context `ingest`. */
export const PROCESSOR_CLASSES: readonly ClassType[] = [
  {
    ...staticClass('Processors', 'org.opensearch.ingest.common.Processors'),
    statics: members({
      'long bytes(String)': (_run, _, text: string) => failing(() => sizeInBytes(text)),
      'String lowercase(String)': (run, _, text: string) => charged(run, text.toLowerCase()),
      'String uppercase(String)': (run, _, text: string) => charged(run, text.toUpperCase()),
      'def json(def)': (run, _, value: ScriptValue) => jsonValue(run, value),
      'void json(Map, String)': (run, _, map: ScriptMap, field: string) => {
        const value = jsonValue(run, map.get(field) ?? null)
        if (!(value instanceof Map))
          throw illegalArgument('cannot add non-map fields to root of document')
        chargeMap(run, map.size + value.size, value.size)
        for (const [key, item] of value) map.set(key, item)
      },
      'String urlDecode(String)': (run, _, text: string) =>
        charged(
          run,
          failing(() => urlDecode(text)),
        ),
    }),
  },
]

function charged(run: ScriptRun, text: string): string {
  chargeText(run, text.length)
  return text
}

function jsonValue(run: ScriptRun, value: ScriptValue): ScriptValue {
  const text = textOfValue(value, run)
  run.charge(BYTES_PER_UNIT * text.length)
  try {
    return readValue(encodeUtf8(text))
  } catch (error) {
    throw error instanceof EngineError ? illegalArgument(error.record.reason) : error
  }
}

/** Runs a function of a processor; its errors are exceptions that a script may catch. */
function failing<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { type, reason } = error.record
    throw type === 'illegal_argument_exception'
      ? illegalArgument(reason)
      : new ScriptFault(type, 'org.opensearch.OpenSearchParseException', reason)
  }
}
