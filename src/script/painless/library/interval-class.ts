/** The variable `interval` of filters of intervals. */
import { ScriptObject } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

const JAVA_NAME = 'org.opensearch.index.query.IntervalFilterScript$Interval'

/** An interval of positions; the same object serves interval after interval. */
export class IntervalValue extends ScriptObject {
  readonly className: string = JAVA_NAME
  /** Positions, both included. */
  start = 0
  end = 0
  /** Positions that the parts of the interval do not cover. */
  gaps = 0

  override text(): string {
    return this.className
  }
}

/** Classes of the context `interval`. */
export const INTERVAL_CLASSES: readonly ClassType[] = [
  {
    ...classOf('Interval', JAVA_NAME, value => value instanceof IntervalValue),
    methods: members({
      'int getEnd()': (_run, interval: IntervalValue) => interval.end,
      'int getGaps()': (_run, interval: IntervalValue) => interval.gaps,
      'int getStart()': (_run, interval: IntervalValue) => interval.start,
    }),
  },
]
