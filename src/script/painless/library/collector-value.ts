/** Collectors of `java.util.stream`: how a stream's elements become one value. */
import type { ScriptRun } from '../../script-run.ts'
import { ScriptObject, type ScriptValue } from '../../value/script-value.ts'

/** A `java.util.stream.Collector`. */
export class CollectorValue extends ScriptObject {
  readonly className: string = 'java.util.stream.Collector'
  /** Makes an empty accumulator. */
  readonly begin: (run: ScriptRun) => ScriptValue
  readonly add: (run: ScriptRun, gathered: ScriptValue, item: ScriptValue) => ScriptValue
  readonly finish: (run: ScriptRun, gathered: ScriptValue) => ScriptValue

  constructor(
    begin: CollectorValue['begin'],
    add: CollectorValue['add'],
    finish: CollectorValue['finish'] = (_run, gathered) => gathered,
  ) {
    super()
    this.begin = begin
    this.add = add
    this.finish = finish
  }

  /** The value of all elements. */
  collect(run: ScriptRun, items: Iterable<ScriptValue>): ScriptValue {
    let gathered = this.begin(run)
    for (const item of items) {
      run.step()
      gathered = this.add(run, gathered, item)
    }
    return this.finish(run, gathered)
  }

  override text(): string {
    return this.className
  }
}
