/** The texts that an expression's matches have in common, read off its literals. */
import type { Expression } from './expression.ts'

/** Knowledge about all matches of an expression. */
interface Known {
  /** The only match; null: there are others, or none is known. */
  readonly whole: string | null
  /** Every match begins and ends with them. */
  readonly start: string
  readonly end: string
  /** Every match holds it. */
  readonly inner: string
}

const NOTHING: Known = { whole: null, start: '', end: '', inner: '' }

/** A text that every match of an expression holds: the longest of its literals, or an empty one. */
export function requiredText(expression: Expression): string {
  return knownOf(expression).inner
}

function knownOf(expression: Expression): Known {
  switch (expression.kind) {
    case 'empty':
      return only('')
    case 'set': {
      const [from, to] = expression.ranges
      return expression.ranges.length === 2 && from === to
        ? only(String.fromCodePoint(from!))
        : NOTHING
    }
    case 'sequence':
      return knownOfSequence(expression)
    case 'repeat': {
      if (expression.min === 0) return NOTHING
      return { ...knownOf(expression.part), whole: null }
    }
    case 'both':
      return {
        ...NOTHING,
        inner: expression.parts.reduce((inner, part) => longer(inner, knownOf(part).inner), ''),
      }
    case 'either':
    case 'not':
    case 'never':
      return NOTHING
  }
}

/** A sequence is a list of pairs, as long as its pattern: it is walked without recursion. */
function knownOfSequence(sequence: Expression): Known {
  let known = only('')
  for (let left: Expression | null = sequence; left !== null; ) {
    const part: Expression = left.kind === 'sequence' ? left.first : left
    known = joined(known, knownOf(part))
    left = left.kind === 'sequence' ? left.rest : null
  }
  return known
}

function joined(first: Known, rest: Known): Known {
  const across = first.end + rest.start
  return {
    whole: first.whole === null || rest.whole === null ? null : first.whole + rest.whole,
    start: first.whole === null ? first.start : first.whole + rest.start,
    end: rest.whole === null ? rest.end : first.end + rest.whole,
    inner: longer(longer(first.inner, across), rest.inner),
  }
}

function only(text: string): Known {
  return { whole: text, start: text, end: text, inner: text }
}

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a
}
