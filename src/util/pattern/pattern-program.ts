import { BacktrackingMachine } from './backtracking-machine.ts'
import { backtrackingProgram } from './backtracking-program.ts'
import { LinearMachine } from './linear-machine.ts'
import { linearProgram } from './linear-program.ts'
import type { Machine } from './machine.ts'
import type { Assertion, PatternNode } from './pattern-node.ts'
import { parsePattern } from './pattern-parser.ts'

/** A compiled pattern. */
export interface Program {
  /** Capturing groups, group 0 excluded. */
  readonly groupCount: number
  /** Ords of the named groups. */
  readonly groupNames: ReadonlyMap<string, number>
  /** Makes a machine of its own for a chain of analysis. */
  makeMachine(): Machine
}

/** The texts that a pattern matches: any part of a text, or a whole one. */
type Extent = 'part' | 'whole'

/**
 * Compiles a pattern: to run in linear time, unless it looks around or back.
 * @param flags Java's names, separated by `|`: `CASE_INSENSITIVE|DOTALL`
 * @throws {IllegalArgumentError} a syntax error, or an unsupported feature
 */
export function compilePattern(pattern: string, flags: string, extent: Extent = 'part'): Program {
  const parsed = parsePattern(pattern, flags)
  const { groupCount, groupNames } = parsed
  const node = extent === 'whole' ? wholeText(parsed.node) : parsed.node
  if (!parsed.needsBacktracking) {
    const instructions = linearProgram(node)
    return {
      groupCount,
      groupNames,
      makeMachine: () => new LinearMachine(instructions, groupCount),
    }
  }
  const program = backtrackingProgram({ ...parsed, node })
  return { groupCount, groupNames, makeMachine: () => new BacktrackingMachine(program) }
}

function wholeText(node: PatternNode): PatternNode {
  const assertion = (kind: Assertion): PatternNode => ({ kind: 'assert', assertion: kind })
  return { kind: 'sequence', nodes: [assertion('textStart'), node, assertion('textEnd')] }
}
