import { javaText } from '../../script/value/java-text.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { Grok } from '../grok/grok.ts'
import { GROK_BANK } from '../grok/grok-bank.ts'
import type { ProcessorType } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'

/** `grok`: fields out of a text, by expressions that name patterns. */
export const GROK: ProcessorType = {
  name: 'grok',
  parse(config) {
    const field = config.path('field')
    const patterns = config.texts('patterns')
    if (patterns.length === 0) throw config.fault('patterns', 'List of patterns must not be empty')
    const bank = bankWith(config)
    const tracesMatch = config.flag('trace_match', false)
    const capturesAll = config.flag('capture_all_matches', false)
    const ignoresMissing = config.flag('ignore_missing', false)
    const grok = compiled(
      config,
      patterns,
      () => new Grok(patterns, { bank, tracesMatch, capturesAll }),
    )
    return {
      kind: 'change',
      run(document, run) {
        const text = document.text(field, ignoresMissing)
        if (text === null) {
          if (ignoresMissing) return undefined
          throw new IllegalArgumentError(`field [${field.text}] is null, cannot process it.`)
        }
        const found = grok.match(text, run.matches)
        if (found === null)
          throw new IllegalArgumentError(
            `Provided Grok expressions do not match field value: [${text}]`,
          )
        for (const [path, value] of found) document.set(path, value)
        return undefined
      },
    }
  },
}

/** The bank with the definitions of a processor, which win. */
function bankWith(config: ProcessorConfig): ReadonlyMap<string, string> {
  const own = config.optionalMap('pattern_definitions')
  if (own === null || own.size === 0) return GROK_BANK
  const bank = new Map(GROK_BANK)
  for (const [name, expression] of own) {
    if (typeof expression !== 'string')
      throw config.fault(
        'pattern_definitions',
        `the definition of [${javaText(name)}] isn't a string`,
      )
    bank.set(javaText(name), expression)
  }
  return bank
}

function compiled(config: ProcessorConfig, patterns: readonly string[], make: () => Grok): Grok {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw config.fault(
      'patterns',
      `Invalid regex pattern found in: [${patterns.join(', ')}]. ${error.record.reason}`,
    )
  }
}
