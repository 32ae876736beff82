/** `Iterator` and `ListIterator`. */

import { chargeList } from '../../script-growth.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType, ScriptFunction } from './class-type.ts'
import { IteratorValue, ListIteratorValue } from './iterator-value.ts'
import { members } from './members.ts'

const ITERATOR: ClassType = {
  ...classOf('Iterator', 'java.util.Iterator', value => value instanceof IteratorValue),
  methods: members({
    'void forEachRemaining(Consumer)': (run, items: IteratorValue, consumer: ScriptFunction) => {
      while (items.hasNext()) {
        run.step()
        consumer.call(items.next())
      }
    },
    'boolean hasNext()': (_run, items: IteratorValue) => items.hasNext(),
    'def next()': (_run, items: IteratorValue) => items.next(),
    'void remove()': (_run, items: IteratorValue) => {
      items.remove()
    },
  }),
}

const LIST_ITERATOR: ClassType = {
  ...classOf('ListIterator', 'java.util.ListIterator', value => value instanceof ListIteratorValue),
  supers: ['Iterator', 'Object'],
  methods: members({
    'void add(def)': (run, items: ListIteratorValue, value: ScriptValue) => {
      chargeList(run, items.index + 1, 1)
      items.add(value)
    },
    'boolean hasPrevious()': (_run, items: ListIteratorValue) => items.index > 0,
    'int nextIndex()': (_run, items: ListIteratorValue) => items.index,
    'def previous()': (_run, items: ListIteratorValue) => items.previous(),
    'int previousIndex()': (_run, items: ListIteratorValue) => items.index - 1,
    'void set(def)': (_run, items: ListIteratorValue, value: ScriptValue) => {
      items.set(value)
    },
  }),
}

/** `Iterator`, `ListIterator`. */
export const ITERATOR_CLASSES: readonly ClassType[] = [ITERATOR, LIST_ITERATOR]
