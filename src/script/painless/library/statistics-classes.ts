/** `IntSummaryStatistics`, `LongSummaryStatistics` and `DoubleSummaryStatistics`. */
import type { Long } from '../../../util/long.ts'
import { toDouble, toLong, wrapLong } from '../../value/java-numbers.ts'
import { ScriptObject, type ScriptValue } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { constructors, members } from './members.ts'

/** The item types that statistics are made of. */
export type StatisticsType = 'int' | 'long' | 'double'

/** The class of the statistics over an item type. */
export function statisticsName(type: StatisticsType): string {
  return `${type[0]!.toUpperCase()}${type.slice(1)}SummaryStatistics`
}

/** Count, sum, least and greatest of numbers; integers are summed as longs. */
export class StatisticsValue extends ScriptObject {
  readonly className: string
  readonly type: StatisticsType
  count = 0
  sum: Long = 0
  /** In the form of the item type; null before the first. */
  min: Long | null = null
  max: Long | null = null

  constructor(type: StatisticsType) {
    super()
    this.className = `java.util.${statisticsName(type)}`
    this.type = type
  }

  /** Takes in a number. */
  add(item: ScriptValue): void {
    const value = (this.type === 'double' ? toDouble(item) : toLong(item)) ?? 0
    this.count++
    this.sum =
      this.type === 'double'
        ? Number(this.sum) + Number(value)
        : wrapLong(BigInt(this.sum) + BigInt(value))
    if (this.type === 'double') {
      this.min = Math.min(Number(this.min ?? Infinity), Number(value))
      this.max = Math.max(Number(this.max ?? -Infinity), Number(value))
    } else {
      if (this.min === null || value < this.min) this.min = value
      if (this.max === null || value > this.max) this.max = value
    }
  }

  /** Takes in what another one has. */
  combine(other: StatisticsValue): void {
    const { count, sum, min, max } = other
    const ownCount = this.count
    const ownSum = this.sum
    if (min !== null) this.add(min)
    if (max !== null) this.add(max)
    this.count = ownCount + count
    this.sum =
      this.type === 'double' ? Number(ownSum) + Number(sum) : wrapLong(BigInt(ownSum) + BigInt(sum))
  }

  /** The mean; 0 of none. */
  get average(): number {
    return this.count === 0 ? 0 : Number(this.sum) / this.count
  }

  override text(): string {
    return `${statisticsName(this.type)}{count=${this.count}, sum=${this.sum}, average=${this.average.toFixed(6)}}`
  }

  override hash(): number {
    return 1
  }
}

/** Results of `getMin` and `getMax` without numbers. */
const EDGES: Readonly<Record<StatisticsType, readonly [Long, Long]>> = {
  int: [2147483647, -2147483648],
  long: [2n ** 63n - 1n, -(2n ** 63n)],
  double: [Infinity, -Infinity],
}

function statisticsClass(type: StatisticsType): ClassType {
  const name = statisticsName(type)
  const sumType = type === 'double' ? 'double' : 'long'
  return {
    ...classOf(
      name,
      `java.util.${name}`,
      value => value instanceof StatisticsValue && value.type === type,
    ),
    constructors: constructors(name, { '()': () => new StatisticsValue(type) }),
    methods: members({
      [`void accept(${type})`]: (_run, statistics: StatisticsValue, value: Long) => {
        statistics.add(value)
      },
      [`void combine(${name})`]: (_run, statistics: StatisticsValue, other: StatisticsValue) => {
        statistics.combine(other)
      },
      'double getAverage()': (_run, statistics: StatisticsValue) => statistics.average,
      'long getCount()': (_run, statistics: StatisticsValue) => statistics.count,
      [`${type} getMax()`]: (_run, statistics: StatisticsValue) => statistics.max ?? EDGES[type][1],
      [`${type} getMin()`]: (_run, statistics: StatisticsValue) => statistics.min ?? EDGES[type][0],
      [`${sumType} getSum()`]: (_run, statistics: StatisticsValue) => statistics.sum,
    }),
  }
}

/** The three classes of statistics. */
export const STATISTICS_CLASSES: readonly ClassType[] = [
  statisticsClass('int'),
  statisticsClass('long'),
  statisticsClass('double'),
]
