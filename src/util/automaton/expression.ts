/**
 * Regular expressions as hash-consed values: equal ones are one object, so that they can be states
 * of an automaton (Brzozowski's derivatives). Intersection and complement are expressions like any
 * other.
 *
 * A set of code points is a list of inclusive ranges: from, to, from, to, …, ascending and
 * disjoint.
 */

/** A regular expression; made by the functions of an `Expressions`. */
export type Expression = {
  readonly id: number
  /** Whether it matches the empty text. */
  readonly isNullable: boolean
} & (
  | { readonly kind: 'never' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly ranges: readonly number[] }
  | { readonly kind: 'sequence'; readonly first: Expression; readonly rest: Expression }
  | { readonly kind: 'either'; readonly parts: readonly Expression[] }
  | { readonly kind: 'both'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not'; readonly part: Expression }
  | {
      readonly kind: 'repeat'
      readonly part: Expression
      readonly min: number
      /** Infinity: unbounded. */
      readonly max: number
    }
)

type Shape = Expression extends infer Each
  ? Each extends Expression
    ? Omit<Each, 'id'>
    : never
  : never

/** Every code point. */
export const ANY_POINT: readonly number[] = [0, 0x10ffff]

/** Makes expressions, and interns them for its lifetime. */
export class Expressions {
  readonly #known = new Map<string, Expression>()
  readonly never: Expression
  readonly empty: Expression
  /** Every text. */
  readonly anything: Expression

  constructor() {
    this.never = this.#make('n', { kind: 'never', isNullable: false })
    this.empty = this.#make('e', { kind: 'empty', isNullable: true })
    this.anything = this.not(this.never)
  }

  /** Parts visited so far: the cost of all operations. */
  cost = 0

  #make(key: string, shape: Shape): Expression {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = { ...shape, id: this.#known.size } as Expression
    this.#known.set(key, made)
    return made
  }

  /** One code point of a set. */
  set(ranges: readonly number[]): Expression {
    if (ranges.length === 0) return this.never
    return this.#make(`s${ranges.join()}`, { kind: 'set', ranges, isNullable: false })
  }

  /** The code points of a string in sequence. */
  text(text: string): Expression {
    let whole = this.empty
    for (const char of [...text].reverse()) {
      const point = char.codePointAt(0)!
      whole = this.sequence(this.set([point, point]), whole)
    }
    return whole
  }

  /** Concatenation. */
  sequence(...parts: readonly Expression[]): Expression {
    let whole = this.empty
    for (let i = parts.length - 1; i >= 0; i--) whole = this.#pair(parts[i]!, whole)
    return whole
  }

  #pair(first: Expression, rest: Expression): Expression {
    if (first === this.never || rest === this.never) return this.never
    if (first === this.empty) return rest
    if (rest === this.empty) return first
    if (first.kind === 'sequence') return this.#pair(first.first, this.#pair(first.rest, rest))
    // Any text twice is any text.
    if (first === this.anything && (rest.kind === 'sequence' ? rest.first : rest) === first)
      return rest
    const isNullable = first.isNullable && rest.isNullable
    return this.#make(`,${first.id},${rest.id}`, { kind: 'sequence', first, rest, isNullable })
  }

  /** Union. */
  either(...given: readonly Expression[]): Expression {
    const parts = new Set<Expression>()
    const sets: (readonly number[])[] = []
    for (const part of given)
      for (const each of part.kind === 'either' ? part.parts : [part]) {
        if (each === this.anything) return each
        if (each.kind === 'set') sets.push(each.ranges)
        else if (each !== this.never) parts.add(each)
      }
    if (sets.length > 0) parts.add(this.set(union(sets)))
    return this.#combined('either', parts, this.never)
  }

  /** Intersection. */
  both(...given: readonly Expression[]): Expression {
    const parts = new Set<Expression>()
    for (const part of given)
      for (const each of part.kind === 'both' ? part.parts : [part]) {
        if (each === this.never) return each
        if (each !== this.anything) parts.add(each)
      }
    return this.#combined('both', parts, this.anything)
  }

  #combined(kind: 'either' | 'both', set: ReadonlySet<Expression>, none: Expression): Expression {
    this.cost += set.size
    const parts = [...set].sort((a, b) => a.id - b.id)
    if (parts.length < 2) return parts[0] ?? none
    const isNullable =
      kind === 'either' ? parts.some(part => part.isNullable) : parts.every(part => part.isNullable)
    const key = `${kind === 'either' ? '|' : '&'}${parts.map(part => part.id).join()}`
    return this.#make(key, { kind, parts, isNullable })
  }

  /** Complement. */
  not(part: Expression): Expression {
    if (part.kind === 'not') return part.part
    return this.#make(`~${part.id}`, { kind: 'not', part, isNullable: !part.isNullable })
  }

  /** @param max Infinity: unbounded */
  repeat(part: Expression, min: number, max: number): Expression {
    if (max === 0 || part === this.empty) return this.empty
    if (min === 1 && max === 1) return part
    const isUnbounded = max === Number.POSITIVE_INFINITY
    if (min === 0 && isUnbounded && part.kind === 'set' && coversAll(part.ranges))
      return this.anything
    if (part === this.never) return min === 0 ? this.empty : part
    if (part.kind === 'repeat' && part.min === 0 && part.max === Number.POSITIVE_INFINITY)
      return part
    const isNullable = min === 0 || part.isNullable
    return this.#make(`*${part.id},${min},${max}`, { kind: 'repeat', part, min, max, isNullable })
  }

  optional(part: Expression): Expression {
    return this.repeat(part, 0, 1)
  }

  star(part: Expression): Expression {
    return this.repeat(part, 0, Number.POSITIVE_INFINITY)
  }

  plus(part: Expression): Expression {
    return this.repeat(part, 1, Number.POSITIVE_INFINITY)
  }

  /** The derivative by a code point: the rest to match after it. */
  derivative(of: Expression, point: number): Expression {
    this.cost++
    switch (of.kind) {
      case 'never':
      case 'empty':
        return this.never
      case 'set':
        return hasPoint(of.ranges, point) ? this.empty : this.never
      case 'sequence': {
        const behind = this.#pair(this.derivative(of.first, point), of.rest)
        if (!of.first.isNullable) return behind
        return this.either(behind, this.derivative(of.rest, point))
      }
      case 'either':
        return this.either(...of.parts.map(part => this.derivative(part, point)))
      case 'both':
        return this.both(...of.parts.map(part => this.derivative(part, point)))
      case 'not':
        return this.not(this.derivative(of.part, point))
      case 'repeat': {
        const rest = this.repeat(of.part, Math.max(0, of.min - 1), of.max - 1)
        return this.#pair(this.derivative(of.part, point), rest)
      }
    }
  }
}

function coversAll(ranges: readonly number[]): boolean {
  return ranges.length === 2 && ranges[0] === 0 && ranges[1] === ANY_POINT[1]
}

/** Whether a set of ranges contains a code point. */
export function hasPoint(ranges: readonly number[], point: number): boolean {
  let low = 0
  let high = ranges.length >> 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (point < ranges[2 * middle]!) high = middle
    else if (point > ranges[2 * middle + 1]!) low = middle + 1
    else return true
  }
  return false
}

/** The union of sets; its ranges may overlap. */
export function union(sets: readonly (readonly number[])[]): readonly number[] {
  if (sets.length === 1) return sets[0]!
  const pairs: [number, number][] = []
  for (const ranges of sets)
    for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i]!, ranges[i + 1]!])
  pairs.sort((a, b) => a[0] - b[0])
  const merged: number[] = []
  for (const [from, to] of pairs) {
    const end = merged.length - 1
    if (end > 0 && from <= merged[end]! + 1) merged[end] = Math.max(merged[end]!, to)
    else merged.push(from, to)
  }
  return merged
}

/** All code points outside a set. */
export function complement(ranges: readonly number[]): readonly number[] {
  const out: number[] = []
  let next = 0
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i]! > next) out.push(next, ranges[i]! - 1)
    next = ranges[i + 1]! + 1
  }
  if (next <= 0x10ffff) out.push(next, 0x10ffff)
  return out
}
