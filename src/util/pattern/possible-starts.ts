import type { BacktrackingInstruction } from './backtracking-program.ts'

/** The ASCII characters that can start a match; null when any can, or it may be empty. */
export function possibleStarts(
  instructions: readonly BacktrackingInstruction[],
): Uint8Array | null {
  const starts = new Uint8Array(128)
  const seen = new Set<number>([0])
  for (const index of seen) {
    const instruction = instructions[index]!
    switch (instruction.op) {
      case 'set':
      case 'run':
        for (let b = 0; b < 128; b++) if (instruction.ascii[b] === 1) starts[b] = 1
        if (instruction.op === 'run' && instruction.min === 0) seen.add(index + 1)
        break
      case 'split':
        seen.add(instruction.first)
        seen.add(instruction.second)
        break
      case 'jump':
        seen.add(instruction.to)
        break
      case 'progress':
        seen.add(instruction.exit)
        seen.add(index + 1)
        break
      case 'mark':
      case 'close':
      case 'assert':
        seen.add(index + 1)
        break
      case 'atomic':
        seen.add(index + 1)
        if (instruction.mayBeEmpty) seen.add(instruction.next)
        break
      case 'ahead':
      case 'behind':
        // Required successors are taken behind it.
        seen.add(instruction.next)
        break
      case 'backReference':
        return null
      case 'end':
      case 'endBehind':
        // The end of an atomic body goes on behind it.
        if (index === instructions.length - 1) return null
    }
  }
  return starts
}
