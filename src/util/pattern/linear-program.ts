/** Compiles parsed patterns to instructions of `LinearMachine`. */
import { assert } from '../assert.ts'
import { IllegalArgumentError } from '../errors.ts'
import { asciiOf, type CharSet } from './character-sets.ts'
import type { Assertion, PatternNode } from './pattern-node.ts'

/** An instruction of a program; `next` follows unless it says otherwise. */
export type Instruction =
  | {
      readonly op: 'set'
      readonly set: CharSet
      /** Membership of each ASCII character. */
      readonly ascii: Uint8Array
      next: number
    }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'save'; readonly slot: number; next: number }
  | { readonly op: 'assert'; readonly kind: Assertion; next: number }
  | { readonly op: 'match' }

const MAX_INSTRUCTIONS = 20_000

/**
 * Compiles a tree, whose match is group 0.
 * @param node nothing in it needs backtracking
 * @throws {IllegalArgumentError} too many instructions
 */
export function linearProgram(node: PatternNode): readonly Instruction[] {
  const instructions: Instruction[] = []
  emit({ kind: 'group', index: 0, node }, instructions)
  instructions.push({ op: 'match' })
  return instructions
}

/** Appends a node's instructions; control continues at the next instruction. */
function emit(node: PatternNode, out: Instruction[]): void {
  if (out.length > MAX_INSTRUCTIONS)
    throw new IllegalArgumentError('the pattern repeats too much: it compiles to too many steps')
  switch (node.kind) {
    case 'set':
      out.push({ op: 'set', set: node.set, ascii: asciiOf(node.set), next: out.length + 1 })
      return
    case 'assert':
      out.push({ op: 'assert', kind: node.assertion, next: out.length + 1 })
      return
    case 'sequence':
      for (const part of node.nodes) emit(part, out)
      return
    case 'group':
      out.push({ op: 'save', slot: 2 * node.index, next: out.length + 1 })
      emit(node.node, out)
      out.push({ op: 'save', slot: 2 * node.index + 1, next: out.length + 1 })
      return
    case 'choice': {
      const jumps: { op: 'split'; first: number; second: number }[] = []
      for (const [i, part] of node.nodes.entries()) {
        if (i === node.nodes.length - 1) {
          emit(part, out)
          break
        }
        const split = { op: 'split' as const, first: out.length + 1, second: -1 }
        out.push(split)
        emit(part, out)
        const jump = { op: 'split' as const, first: -1, second: -1 }
        out.push(jump)
        jumps.push(jump)
        split.second = out.length
      }
      for (const jump of jumps) jump.first = jump.second = out.length
      return
    }
    case 'repeat':
      emitRepeat(node, out)
      return
    case 'look':
    case 'atomic':
    case 'backReference':
      assert(false, 'it needs backtracking')
  }
}

function emitRepeat(node: Extract<PatternNode, { kind: 'repeat' }>, out: Instruction[]): void {
  for (let i = 0; i < node.min; i++) emit(node.node, out)
  const branch = (): { op: 'split'; first: number; second: number } => {
    const split = { op: 'split' as const, first: out.length + 1, second: out.length + 1 }
    out.push(split)
    return split
  }
  const leave = (split: { first: number; second: number }): void => {
    if (node.mode === 'lazy') split.first = out.length
    else split.second = out.length
  }
  if (node.max === Number.POSITIVE_INFINITY) {
    const split = branch()
    const at = out.length - 1
    emit(node.node, out)
    out.push({ op: 'split', first: at, second: at })
    leave(split)
    return
  }
  const splits = []
  for (let i = node.min; i < node.max; i++) {
    splits.push(branch())
    emit(node.node, out)
  }
  for (const split of splits) leave(split)
}
