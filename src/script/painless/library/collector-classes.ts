/** `Collector` and `Collectors`. */
import { classCast } from '../../java-faults.ts'
import { boxed } from '../../value/boxing.ts'
import { classNameOf, doubleValue, type ScriptValue } from '../../value/script-value.ts'
import { doubleFrom, intFrom, longFrom } from './call-function.ts'
import { classOf, staticClass } from './class-of.ts'
import type { ClassType, Member, ScriptFunction } from './class-type.ts'
import { type AnyCollection, addTo } from './collection-class.ts'
import {
  counting,
  extreme,
  grouping,
  joining,
  mapping,
  partitioning,
  suppliedMap,
  toList,
  toMap,
} from './collector-makers.ts'
import { CollectorValue } from './collector-value.ts'
import { members } from './members.ts'
import { StatisticsValue } from './statistics-classes.ts'
import { type CharSequence, textOf } from './string-builder-value.ts'

/** `averagingInt`, `summingInt`, `summarizingInt` and those of long and double. */
function numeric(): Record<string, Member> {
  const table: Record<string, Parameters<typeof members>[0][string]> = {}
  const kinds = [
    ['int', 'Int', intFrom],
    ['long', 'Long', (of: ScriptFunction, item: ScriptValue) => boxed('long', longFrom(of, item))],
    [
      'double',
      'Double',
      (of: ScriptFunction, item: ScriptValue) => doubleValue(doubleFrom(of, item)),
    ],
  ] as const
  for (const [type, end, read] of kinds) {
    const over =
      (finish: (statistics: StatisticsValue) => ScriptValue) =>
      (_run: unknown, _: unknown, of: ScriptFunction): CollectorValue =>
        new CollectorValue(
          () => new StatisticsValue(type),
          (_inner, statistics, item) => {
            ;(statistics as StatisticsValue).add(read(of, item))
            return statistics
          },
          (_inner, statistics) => finish(statistics as StatisticsValue),
        )
    table[`Collector averaging${end}(To${end}Function)`] = over(({ average }) =>
      doubleValue(average),
    )
    table[`Collector summarizing${end}(To${end}Function)`] = over(statistics => statistics)
    table[`Collector summing${end}(To${end}Function)`] = over(({ sum }) =>
      type === 'int' ? Number(BigInt.asIntN(32, BigInt(sum))) : boxed(type, sum),
    )
  }
  return members(table)
}

/** `Collector`, `Collectors`. */
export const COLLECTOR_CLASSES: readonly ClassType[] = [
  classOf('Collector', 'java.util.stream.Collector', value => value instanceof CollectorValue),
  {
    ...staticClass('Collectors', 'java.util.stream.Collectors'),
    statics: {
      ...numeric(),
      ...members({
        'Collector collectingAndThen(Collector, Function)': (
          _run,
          _,
          downstream: CollectorValue,
          of: ScriptFunction,
        ) =>
          new CollectorValue(downstream.begin, downstream.add, (run, gathered) =>
            of.call(downstream.finish(run, gathered)),
          ),
        'Collector counting()': () => counting,
        'Collector groupingBy(Function)': (_run, _, of: ScriptFunction) =>
          grouping(
            item => of.call(item),
            () => new Map(),
            toList,
          ),
        'Collector groupingBy(Function, Collector)': (
          _run,
          _,
          of: ScriptFunction,
          downstream: CollectorValue,
        ) =>
          grouping(
            item => of.call(item),
            () => new Map(),
            downstream,
          ),
        'Collector groupingBy(Function, Supplier, Collector)': (
          _run,
          _,
          of: ScriptFunction,
          supplier: ScriptFunction,
          downstream: CollectorValue,
        ) =>
          grouping(
            item => of.call(item),
            () => suppliedMap(supplier),
            downstream,
          ),
        'Collector joining()': () => joining('', '', ''),
        'Collector joining(CharSequence)': (_run, _, separator: CharSequence) =>
          joining(textOf(separator), '', ''),
        'Collector joining(CharSequence, CharSequence, CharSequence)': (
          _run,
          _,
          separator: CharSequence,
          prefix: CharSequence,
          suffix: CharSequence,
        ) => joining(textOf(separator), textOf(prefix), textOf(suffix)),
        'Collector mapping(Function, Collector)': (
          _run,
          _,
          of: ScriptFunction,
          downstream: CollectorValue,
        ) => mapping(of, downstream),
        'Collector maxBy(Comparator)': (run, _, order: ScriptFunction) => extreme(run, order, 1),
        'Collector minBy(Comparator)': (run, _, order: ScriptFunction) => extreme(run, order, -1),
        'Collector partitioningBy(Predicate)': (_run, _, predicate: ScriptFunction) =>
          partitioning(predicate, toList),
        'Collector partitioningBy(Predicate, Collector)': (
          _run,
          _,
          predicate: ScriptFunction,
          downstream: CollectorValue,
        ) => partitioning(predicate, downstream),
        'Collector reducing(def, BinaryOperator)': (
          _run,
          _,
          start: ScriptValue,
          of: ScriptFunction,
        ) =>
          new CollectorValue(
            () => start,
            (_inner, value, item) => of.call(value, item),
          ),
        'Collector reducing(def, Function, BinaryOperator)': (
          _run,
          _,
          start: ScriptValue,
          map: ScriptFunction,
          of: ScriptFunction,
        ) =>
          new CollectorValue(
            () => start,
            (_inner, value, item) => of.call(value, map.call(item)),
          ),
        'Collector toCollection(Supplier)': (_run, _, supplier: ScriptFunction) =>
          new CollectorValue(
            () => {
              const items = supplier.call()
              if (Array.isArray(items) || items instanceof Set) return items
              throw classCast(items === null ? 'null' : classNameOf(items), 'java.util.Collection')
            },
            (run, items, item) => {
              addTo(run, items as AnyCollection, item)
              return items
            },
          ),
        'Collector toList()': () => toList,
        'Collector toMap(Function, Function)': (
          run,
          _,
          keyOf: ScriptFunction,
          valueFor: ScriptFunction,
        ) => toMap(run, () => new Map(), keyOf, valueFor, null),
        'Collector toMap(Function, Function, BinaryOperator)': (
          run,
          _,
          keyOf: ScriptFunction,
          valueFor: ScriptFunction,
          merge: ScriptFunction,
        ) => toMap(run, () => new Map(), keyOf, valueFor, merge),
        'Collector toMap(Function, Function, BinaryOperator, Supplier)': (
          run,
          _,
          keyOf: ScriptFunction,
          valueFor: ScriptFunction,
          merge: ScriptFunction,
          supplier: ScriptFunction,
        ) => toMap(run, () => suppliedMap(supplier), keyOf, valueFor, merge),
        'Collector toSet()': () =>
          new CollectorValue(
            () => new Set(),
            (run, set, item) => {
              addTo(run, set as AnyCollection, item)
              return set
            },
          ),
      }),
    },
  },
]
