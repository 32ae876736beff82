import { changes, type ProcessorType } from '../processor.ts'
import { checkSelfReferences } from '../self-reference.ts'

/** The keys of a script object. */
const KEYS = ['source', 'inline', 'id', 'stored', 'lang', 'params', 'options']

/** `script`: a program over the document. */
export const SCRIPT: ProcessorType = {
  name: 'script',
  parse(config, { scripts }) {
    const script = new Map()
    for (const key of KEYS) {
      const value = config.value(key)
      if (value !== null) script.set(key, value)
    }
    const run = scripts.script(script)
    return changes(document => {
      run(document)
      checkSelfReferences(document.fields)
    })
  },
}
