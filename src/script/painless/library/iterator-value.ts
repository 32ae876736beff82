/** Iterators over lists and other collections. */
import {
  classCast,
  concurrentModification,
  illegalState,
  noSuchElement,
} from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import { deleteKey } from '../../value/keys.ts'
import type { MapEntry } from '../../value/map-entry.ts'
import { MapValues } from '../../value/map-views.ts'
import { ScriptCollection } from '../../value/script-collection.ts'
import {
  classNameOf,
  type ScriptList,
  ScriptObject,
  type ScriptSet,
  type ScriptValue,
} from '../../value/script-value.ts'
import { modifiable } from '../../value/unmodifiable.ts'

/** A `java.util.Iterator`. */
export abstract class IteratorValue extends ScriptObject {
  readonly className: string = 'java.util.Iterator'

  abstract hasNext(): boolean
  /** @throws {ScriptFault} `no_such_element_exception` at the end */
  abstract next(): ScriptValue
  /**
   * Takes out the element that `next` gave last.
   * @throws {ScriptFault} `illegal_state_exception`: there is none
   */
  abstract remove(): void

  override text(): string {
    return this.className
  }

  override hash(): number {
    return 1
  }
}

/** An iterator over a list, from any index and both ways. */
export class ListIteratorValue extends IteratorValue {
  override readonly className: string = 'java.util.ListIterator'
  readonly #list: ScriptList
  #index: number
  #length: number
  /** Index of the element that was given last; −1: none. */
  #last = -1

  constructor(list: ScriptList, index: number) {
    super()
    this.#list = list
    this.#length = list.length
    this.#index = index
  }

  /** Index of the next element. */
  get index(): number {
    return this.#index
  }

  override hasNext(): boolean {
    return this.#index < this.#list.length
  }

  override next(): ScriptValue {
    this.#check()
    if (!this.hasNext()) throw noSuchElement('the iterator is at its end')
    this.#last = this.#index++
    return this.#list[this.#last]!
  }

  /** The element before; see `next`. */
  previous(): ScriptValue {
    this.#check()
    if (this.#index === 0) throw noSuchElement('the iterator is at its start')
    this.#last = --this.#index
    return this.#list[this.#last]!
  }

  override remove(): void {
    const index = this.#lastIndex()
    modifiable(this.#list).splice(index, 1)
    this.#length--
    if (index < this.#index) this.#index--
    this.#last = -1
  }

  /** Replaces the element that was given last. */
  set(value: ScriptValue): void {
    modifiable(this.#list)[this.#lastIndex()] = value
  }

  /** Inserts before the next element. */
  add(value: ScriptValue): void {
    this.#check()
    modifiable(this.#list).splice(this.#index++, 0, value)
    this.#length++
    this.#last = -1
  }

  #lastIndex(): number {
    this.#check()
    if (this.#last < 0) throw illegalState('no element was given since the last change')
    return this.#last
  }

  #check(): void {
    if (this.#list.length !== this.#length) throw concurrentModification()
  }
}

/** An iterator over a set or another collection: it knows one element ahead. */
class CollectionIterator extends IteratorValue {
  readonly #run: ScriptRun
  readonly #collection: ScriptSet | ScriptCollection
  readonly #items: Iterator<ScriptValue>
  readonly #shown: (item: ScriptValue) => ScriptValue
  #ahead: IteratorResult<ScriptValue>
  /** The element that was given last, in an array so that it may be null; empty: none. */
  #last: ScriptValue[] = []

  constructor(
    run: ScriptRun,
    collection: ScriptSet | ScriptCollection,
    shown: (item: ScriptValue) => ScriptValue,
  ) {
    super()
    this.#run = run
    this.#shown = shown
    this.#collection = collection
    this.#items = collection[Symbol.iterator]()
    this.#ahead = this.#items.next()
  }

  override hasNext(): boolean {
    return this.#ahead.done !== true
  }

  override next(): ScriptValue {
    if (this.#ahead.done === true) throw noSuchElement('the iterator is at its end')
    const { value } = this.#ahead
    this.#last = [value]
    this.#ahead = this.#items.next()
    return this.#shown(value)
  }

  override remove(): void {
    const [last] = this.#last
    if (last === undefined) throw illegalState('no element was given since the last change')
    this.#last = []
    if (this.#collection instanceof Set) deleteKey(this.#collection, last, this.#run)
    else this.#collection.remove(last)
  }
}

/** An iterator at the first element of an `Iterable`. */
export function iteratorOf(run: ScriptRun, collection: ScriptValue): IteratorValue {
  if (Array.isArray(collection)) return new ListIteratorValue(collection, 0)
  // Of equal values of a map the one that was given last is taken out, by its key.
  if (collection instanceof MapValues)
    return new CollectionIterator(run, collection.entries(), entry => (entry as MapEntry).value)
  if (collection instanceof Set || collection instanceof ScriptCollection)
    return new CollectionIterator(run, collection, item => item)
  throw classCast(collection === null ? 'null' : classNameOf(collection), 'java.lang.Iterable')
}
