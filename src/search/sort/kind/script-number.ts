import { inputsOf } from '../../script/leaf-script.ts'
import { scriptEngine } from '../../script/script-engine.ts'
import { compareIntegers, LongComparator } from '../long-comparator.ts'
import { ScriptNumbers } from '../script-numbers.ts'
import type { SortKeyOf, SortKind } from '../sort-kind.ts'

/** By the double that a script gives. */
export const scriptNumberSort: SortKind<SortKeyOf<'scriptNumber'>> = {
  open: (key, capacity, after, run) =>
    new LongComparator(
      key,
      capacity,
      after,
      (leaf, score) =>
        new ScriptNumbers(scriptEngine().open(key.script, leaf, inputsOf(run, score))),
    ),
  compare: compareIntegers,
  valueType: () => 'DOUBLE',
}
