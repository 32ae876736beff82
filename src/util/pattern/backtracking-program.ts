/** Compiles parsed patterns to instructions of `BacktrackingMachine`. */
import { IllegalArgumentError } from '../errors.ts'
import { asciiOf, type CharSet } from './character-sets.ts'
import {
  type Assertion,
  type ParsedPattern,
  type PatternNode,
  type RepeatMode,
  widthOf,
} from './pattern-node.ts'

/** An instruction; control goes on behind it unless it says otherwise. Indices name instructions. */
export type BacktrackingInstruction =
  /** Takes a character of a set. */
  | { readonly op: 'set'; readonly set: CharSet; readonly ascii: Uint8Array }
  /** Takes a run of characters of a set, and gives them back one by one unless it is possessive. */
  | {
      readonly op: 'run'
      readonly set: CharSet
      readonly ascii: Uint8Array
      readonly min: number
      readonly max: number
      readonly isPossessive: boolean
    }
  /** Goes to `first`, and to `second` where that fails. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  /** Keeps the offset in a register. */
  | { readonly op: 'mark'; readonly register: number }
  /** Ends a group that began at the offset in a register. */
  | { readonly op: 'close'; readonly group: number; readonly register: number }
  /** Leaves a loop whose last pass, begun at the offset in a register, took nothing. */
  | { readonly op: 'progress'; readonly register: number; exit: number }
  | { readonly op: 'assert'; readonly assertion: Assertion }
  | {
      readonly op: 'backReference'
      readonly group: number
      readonly ignoreCase: boolean
      readonly unicodeCase: boolean
    }
  /** Runs the body that follows to its `end`, once; goes on at `next`. */
  | { readonly op: 'atomic'; readonly mayBeEmpty: boolean; next: number }
  | { readonly op: 'ahead'; readonly isNegated: boolean; next: number }
  | {
      readonly op: 'behind'
      readonly isNegated: boolean
      readonly min: number
      readonly max: number
      next: number
    }
  /** Ends a body, or the pattern. */
  | { readonly op: 'end' }
  /** Ends a body that looks behind: where it was begun from. */
  | { readonly op: 'endBehind' }

/** A pattern's instructions. */
export interface BacktrackingProgram {
  readonly instructions: readonly BacktrackingInstruction[]
  readonly groupCount: number
  /** Registers for offsets, apart from those of the groups. */
  readonly registerCount: number
}

const MAX_INSTRUCTIONS = 20_000

/**
 * Compiles a pattern, whose match is group 0.
 * @throws {IllegalArgumentError} too many instructions
 */
export function backtrackingProgram(pattern: ParsedPattern): BacktrackingProgram {
  const { node, groupCount } = pattern
  const emitter = new Emitter()
  emitter.node(node)
  emitter.add({ op: 'end' })
  const { instructions, registerCount } = emitter
  return { instructions, groupCount, registerCount }
}

class Emitter {
  readonly instructions: BacktrackingInstruction[] = []
  registerCount = 0

  add<T extends BacktrackingInstruction>(instruction: T): T {
    if (this.instructions.length > MAX_INSTRUCTIONS)
      throw new IllegalArgumentError('the pattern repeats too much: it compiles to too many steps')
    this.instructions.push(instruction)
    return instruction
  }

  /** Appends a node's instructions. */
  node(node: PatternNode): void {
    switch (node.kind) {
      case 'set':
        this.add({ op: 'set', set: node.set, ascii: asciiOf(node.set) })
        return
      case 'assert':
        this.add({ op: 'assert', assertion: node.assertion })
        return
      case 'sequence':
        for (const part of node.nodes) this.node(part)
        return
      case 'group': {
        const register = this.registerCount++
        this.add({ op: 'mark', register })
        this.node(node.node)
        this.add({ op: 'close', group: node.index, register })
        return
      }
      case 'choice':
        this.#choice(node.nodes)
        return
      case 'repeat':
        this.#repeat(node)
        return
      case 'atomic':
        this.#atomic(() => this.node(node.node), widthOf(node.node).min === 0)
        return
      case 'look': {
        const { min, max } = widthOf(node.node)
        const { isNegated, isAhead } = node
        const look = this.add(
          isAhead
            ? { op: 'ahead' as const, isNegated, next: -1 }
            : { op: 'behind' as const, isNegated, min, max, next: -1 },
        )
        this.node(node.node)
        this.add({ op: isAhead ? 'end' : 'endBehind' })
        look.next = this.instructions.length
        return
      }
      case 'backReference': {
        const { group, ignoreCase, unicodeCase } = node
        this.add({ op: 'backReference', group, ignoreCase, unicodeCase })
      }
    }
  }

  #choice(nodes: readonly PatternNode[]): void {
    const jumps: { to: number }[] = []
    for (const [i, part] of nodes.entries()) {
      if (i === nodes.length - 1) {
        this.node(part)
        break
      }
      const split = this.add({
        op: 'split' as const,
        first: this.instructions.length + 1,
        second: -1,
      })
      this.node(part)
      jumps.push(this.add({ op: 'jump' as const, to: -1 }))
      split.second = this.instructions.length
    }
    for (const jump of jumps) jump.to = this.instructions.length
  }

  #atomic(body: () => void, mayBeEmpty: boolean): void {
    const atomic = this.add({ op: 'atomic' as const, mayBeEmpty, next: -1 })
    body()
    this.add({ op: 'end' })
    atomic.next = this.instructions.length
  }

  #repeat(repeat: Extract<PatternNode, { kind: 'repeat' }>): void {
    const { node, min, max, mode } = repeat
    if (node.kind === 'set' && mode !== 'lazy') {
      const { set } = node
      const isPossessive = mode === 'possessive'
      this.add({ op: 'run', set, ascii: asciiOf(set), min, max, isPossessive })
    } else if (mode === 'possessive') {
      // Each pass keeps its first match, those that must be made too.
      const pass: PatternNode = { kind: 'atomic', node }
      this.#atomic(() => this.#loop(pass, min, max, 'greedy'), widthOf(repeat).min === 0)
    } else this.#loop(node, min, max, mode)
  }

  /** As Java's loops: a pass that takes nothing is the last one, even where more were asked for. */
  #loop(node: PatternNode, min: number, max: number, mode: RepeatMode): void {
    const exits: { exit: number }[] = []
    const register = widthOf(node).min === 0 ? this.registerCount++ : -1
    const pass = (): void => {
      if (register >= 0) this.add({ op: 'mark', register })
      this.node(node)
      if (register >= 0) exits.push(this.add({ op: 'progress' as const, register, exit: -1 }))
    }
    for (let i = 0; i < min; i++) pass()
    const splits: { first: number; second: number }[] = []
    const branch = (): void => {
      const inside = this.instructions.length + 1
      splits.push(this.add({ op: 'split' as const, first: inside, second: inside }))
    }
    if (max === Number.POSITIVE_INFINITY) {
      const to = this.instructions.length
      branch()
      pass()
      this.add({ op: 'jump', to })
    } else
      for (let i = min; i < max; i++) {
        branch()
        pass()
      }
    const end = this.instructions.length
    for (const split of splits) {
      if (mode === 'lazy') split.first = end
      else split.second = end
    }
    for (const each of exits) each.exit = end
  }
}
