import { javaText } from '../../script/value/java-text.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { ProcessorType } from '../processor.ts'

/** `foreach`: one processor for each item of a list, which it finds as `_ingest._value`. */
export const FOREACH: ProcessorType = {
  name: 'foreach',
  parse(config, setup) {
    const field = config.path('field')
    const entries = [...config.map('processor')]
    const [entry] = entries
    if (entry === undefined || entries.length > 1)
      throw config.fault('processor', 'Must specify exactly one processor type')
    const processor = setup.parse(javaText(entry[0]), entry[1])
    const ignoresMissing = config.flag('ignore_missing', false)
    return {
      kind: 'change',
      run(document, run) {
        const values = document.list(field, ignoresMissing)
        if (values === null) {
          if (ignoresMissing) return undefined
          throw new IllegalArgumentError(
            `field [${field.text}] is null, cannot loop over its elements.`,
          )
        }
        const { ingest } = document
        const made = []
        for (const value of [...values]) {
          const outer = ingest.get('_value') ?? null
          ingest.set('_value', value)
          try {
            if (run.within(processor, document) === 'dropped') return 'dropped'
          } finally {
            made.push(ingest.get('_value') ?? null)
            ingest.set('_value', outer)
          }
        }
        document.set(field, made)
        return undefined
      },
    }
  },
}
