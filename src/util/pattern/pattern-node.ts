/** Patterns as trees. */
import type { CharSet } from './character-sets.ts'

/** A zero-width assertion. */
export type Assertion =
  | 'textStart'
  | 'textEnd'
  | 'lineStart'
  | 'lineEnd'
  | 'lastLineEnd'
  | 'unixLineStart'
  | 'unixLineEnd'
  | 'lastUnixLineEnd'
  | 'boundary'
  | 'noBoundary'
  | 'unicodeBoundary'
  | 'noUnicodeBoundary'

/**
 * How often a repeat prefers to run: as often as it can, as rarely, or as often without ever going back
 * on it.
 */
export type RepeatMode = 'greedy' | 'lazy' | 'possessive'

/** A node of a pattern's tree. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'group'; readonly index: number; readonly node: PatternNode }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | {
      readonly kind: 'repeat'
      readonly node: PatternNode
      readonly min: number
      /** Infinity: unbounded. */
      readonly max: number
      readonly mode: RepeatMode
    }
  | BacktrackingNode

/** The nodes that only a backtracking matcher runs, possessive repeats beside them. */
export type BacktrackingNode =
  | {
      /** Looks at what follows, or at what lies before, and takes nothing. */
      readonly kind: 'look'
      readonly isAhead: boolean
      /** It must not match. */
      readonly isNegated: boolean
      readonly node: PatternNode
    }
  /** Its first match is the only one. */
  | { readonly kind: 'atomic'; readonly node: PatternNode }
  | {
      /** The text of a group again; nothing where the group has not matched. */
      readonly kind: 'backReference'
      readonly group: number
      readonly ignoreCase: boolean
      /** With `ignoreCase`: all letters, not those of ASCII alone. */
      readonly unicodeCase: boolean
    }

/** A pattern as a tree. */
export interface ParsedPattern {
  readonly node: PatternNode
  /** Capturing groups, group 0 excluded. */
  readonly groupCount: number
  /** Ords of the named groups. */
  readonly groupNames: ReadonlyMap<string, number>
  /** It has nodes that no linear matcher runs. */
  readonly needsBacktracking: boolean
}

/** Characters that the matches of a node have, min and max; max may be infinite. */
export function widthOf(node: PatternNode): { readonly min: number; readonly max: number } {
  switch (node.kind) {
    case 'set':
      return { min: 1, max: 1 }
    case 'sequence': {
      const widths = node.nodes.map(widthOf)
      return {
        min: widths.reduce((sum, width) => sum + width.min, 0),
        max: widths.reduce((sum, width) => sum + width.max, 0),
      }
    }
    case 'choice': {
      const widths = node.nodes.map(widthOf)
      return {
        min: Math.min(...widths.map(width => width.min)),
        max: Math.max(...widths.map(width => width.max)),
      }
    }
    case 'group':
    case 'atomic':
      return widthOf(node.node)
    case 'assert':
    case 'look':
      return { min: 0, max: 0 }
    case 'repeat': {
      const { min, max } = widthOf(node.node)
      // 0 · ∞ is nothing.
      return { min: min * node.min, max: max === 0 || node.max === 0 ? 0 : max * node.max }
    }
    case 'backReference':
      return { min: 0, max: Number.POSITIVE_INFINITY }
  }
}

/**
 * Whether a look behind may hold a node: what it repeats without end has a fixed width, and it has no
 * back-references. Java refuses most others.
 */
export function hasObviousMaximum(node: PatternNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'assert':
    case 'look':
      return true
    case 'sequence':
    case 'choice':
      return node.nodes.every(hasObviousMaximum)
    case 'group':
    case 'atomic':
      return hasObviousMaximum(node.node)
    case 'repeat': {
      const { min, max } = widthOf(node.node)
      return node.max < Number.POSITIVE_INFINITY ? hasObviousMaximum(node.node) : min === max
    }
    case 'backReference':
      return false
  }
}
