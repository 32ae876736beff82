/**
 * The texts within a few edits of a word, as an automaton over code points: an insertion, a
 * deletion, a substitution and, where asked for, the swap of two neighbours that no other edit
 * touches count one edit each.
 *
 * A state is a set of positions of the nondeterministic automaton: so many code points of the word
 * are read with so many edits. States are computed when a text first reaches them; there are at
 * most a few dozen for each code point of the word.
 */
import { DEAD, START } from './automaton.ts'

/** Max code point. */
const MAX_POINT = 0x10ffff

/** A position: `swap` is read with the first of two swapped code points, the second to come. */
interface Position {
  readonly read: number
  readonly edits: number
  readonly isSwap: boolean
}

interface State {
  readonly positions: readonly Position[]
  /** Edits of the text that ends here; −1: it is not accepted. */
  readonly edits: number
  /** Next state by code point of the word; `others`: by any other one. −1: not computed yet. */
  readonly moves: Map<number, number>
  others: number
}

/** A word and how far texts may be from it, which a kernel walks dictionaries with. */
export interface NearWord {
  readonly kind: 'near'
  /** Code points. */
  readonly word: readonly number[]
  readonly maxEdits: number
  readonly prefixLength: number
  readonly swaps: boolean
}

/** All texts within 0, 1 or 2 edits of a word. */
export class LevenshteinAutomaton {
  readonly #word: readonly number[]
  readonly #points: ReadonlySet<number>
  readonly #maxEdits: number
  readonly #prefixLength: number
  readonly #swaps: boolean
  readonly #states: State[] = []
  readonly #ids = new Map<string, number>()

  /**
   * @param word         as code points
   * @param prefixLength code points at the start that are taken as they are
   * @param swaps        whether two swapped neighbours are one edit
   */
  constructor(word: readonly number[], maxEdits: 0 | 1 | 2, prefixLength: number, swaps: boolean) {
    this.#word = word
    this.#points = new Set(word)
    this.#maxEdits = maxEdits
    this.#prefixLength = prefixLength
    this.#swaps = swaps
  }

  /** A state; the dead one and the first are made with the first that is asked for: kernels need neither. */
  #state(id: number): State {
    if (this.#states.length === 0) {
      this.#idOf([])
      this.#idOf(this.#closed([{ read: 0, edits: 0, isSwap: false }]))
    }
    return this.#states[id]!
  }

  /** What was asked for. */
  get form(): NearWord {
    return {
      kind: 'near',
      word: this.#word,
      maxEdits: this.#maxEdits,
      prefixLength: this.#prefixLength,
      swaps: this.#swaps,
    }
  }

  /** The state after `state` and a code point. */
  step(state: number, point: number): number {
    if (state === DEAD) return DEAD
    const known = this.#state(state)
    const isInWord = this.#points.has(point)
    const next = isInWord ? (known.moves.get(point) ?? -1) : known.others
    if (next >= 0) return next
    const reached = this.#idOf(this.#closed(known.positions.flatMap(at => this.#read(at, point))))
    if (isInWord) known.moves.set(point, reached)
    else known.others = reached
    return reached
  }

  /** Whether the text that ends in a state is near enough. */
  accepts(state: number): boolean {
    return this.#state(state).edits >= 0
  }

  /** Edits between the word and the text that ends in an accepting state. */
  editsOf(state: number): number {
    return this.#state(state).edits
  }

  /** The first code point at or above `from` that does not lead to the dead state; −1: none. */
  nextPoint(state: number, from: number): number {
    let next = -1
    for (const at of this.#state(state).positions) {
      if (this.#isFree(at)) return from <= MAX_POINT ? from : -1
      const point = this.#word[at.read]
      if (point !== undefined && point >= from && (next < 0 || point < next)) next = point
    }
    return next
  }

  /** No state accepts every continuation. */
  isTotal(): boolean {
    return false
  }

  /** Whether one more edit may happen here. */
  #isFree({ read, edits, isSwap }: Position): boolean {
    return !isSwap && edits < this.#maxEdits && read >= this.#prefixLength
  }

  #read(at: Position, point: number): Position[] {
    const { read, edits } = at
    const word = this.#word
    // The second of the swapped code points is the word's first.
    if (at.isSwap) return word[read] === point ? [{ read: read + 2, edits, isSwap: false }] : []
    const reached: Position[] = []
    if (word[read] === point) reached.push({ read: read + 1, edits, isSwap: false })
    if (!this.#isFree(at)) return reached
    reached.push({ read, edits: edits + 1, isSwap: false })
    if (read < word.length) reached.push({ read: read + 1, edits: edits + 1, isSwap: false })
    if (this.#swaps && word[read + 1] === point)
      reached.push({ read, edits: edits + 1, isSwap: true })
    return reached
  }

  /** With the positions that deletions lead to, and without those that another one is as good as. */
  #closed(positions: readonly Position[]): Position[] {
    const best = new Map<number, Position>()
    const add = (at: Position): void => {
      if (at.read > this.#word.length) return
      const key = 2 * at.read + (at.isSwap ? 1 : 0)
      const known = best.get(key)
      if (known !== undefined && known.edits <= at.edits) return
      best.set(key, at)
      if (this.#isFree(at) && at.read < this.#word.length)
        add({ read: at.read + 1, edits: at.edits + 1, isSwap: false })
    }
    for (const at of positions) add(at)
    return [...best.values()].sort((a, b) => a.read - b.read || Number(a.isSwap) - Number(b.isSwap))
  }

  #idOf(positions: readonly Position[]): number {
    const key = positions.map(at => `${at.read}${at.isSwap ? 's' : ':'}${at.edits}`).join()
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#states.length
    this.#ids.set(key, id)
    let edits = -1
    for (const at of positions)
      if (!at.isSwap && at.read === this.#word.length && (edits < 0 || at.edits < edits))
        edits = at.edits
    this.#states.push({ positions, edits, moves: new Map(), others: id === DEAD ? DEAD : -1 })
    return id
  }

  /** The edits between the word and a text; −1: more than it may have. */
  editsTo(text: readonly number[]): number {
    let state: number = START
    for (const point of text) {
      state = this.step(state, point)
      if (state === DEAD) return -1
    }
    return this.editsOf(state)
  }
}
