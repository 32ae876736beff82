/** `Set`, `HashSet` and `LinkedHashSet`; sets are in order of insertion. */
import type { ScriptRun } from '../../script-run.ts'
import type { ScriptSet } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { type AnyCollection, addAll } from './collection-class.ts'
import { constructors, members } from './members.ts'

/** `Set`, `HashSet`, `LinkedHashSet`. */
export const SET_CLASSES: readonly ClassType[] = [
  {
    ...classOf('Set', 'java.util.Set', value => value instanceof Set),
    supers: ['Collection', 'Iterable', 'Object'],
  },
  hashSetClass('HashSet'),
  hashSetClass('LinkedHashSet'),
]

function hashSetClass(name: string): ClassType {
  return {
    ...classOf(name, `java.util.${name}`, value => value instanceof Set && !('className' in value)),
    supers: ['Set', 'Collection', 'Iterable', 'Object'],
    constructors: constructors(name, {
      '()': () => new Set(),
      '(Collection)': (run, _, items: AnyCollection) => setOf(run, items),
    }),
    methods: members({ 'def clone()': (run, set: ScriptSet) => setOf(run, set) }),
  }
}

/** The elements of a collection, each once. */
export function setOf(run: ScriptRun, items: AnyCollection): ScriptSet {
  const set: ScriptSet = new Set()
  addAll(run, set, items)
  return set
}
