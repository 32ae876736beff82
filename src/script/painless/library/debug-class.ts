import { ScriptFault } from '../../script-fault.ts'
import { classNameOf, type ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import { staticClass } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

/** The exception of `Debug.explain`; the script's error shows the value. */
export class ExplainFault extends ScriptFault {
  /** Further keys of the `script_exception`, before `script_stack`. */
  readonly extra: Readonly<Record<string, string>>

  /** @param text of the value; null: the value is null */
  constructor(value: ScriptValue, text: string | null) {
    super('painless_explain_error', 'org.opensearch.painless.PainlessExplainError', 'null')
    const name = value === null ? null : classNameOf(value)
    this.extra =
      name === null || text === null
        ? {}
        : { painless_class: name, to_string: text, java_class: name }
  }
}

/** `Debug`: `Debug.explain(x)` ends a script with the class and the text of a value. */
export const DEBUG: ClassType = {
  ...staticClass('Debug', 'org.opensearch.painless.api.Debug'),
  statics: members({
    'void explain(Object)': (run, _, value: ScriptValue) => {
      throw new ExplainFault(value, value === null ? null : textOfValue(value, run))
    },
  }),
}
