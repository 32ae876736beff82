import type { Action } from '../../task/actions.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import type { BulkAction } from '../api/documents.ts'
import { resolveWrite, type WriteTarget } from '../index/write-target.ts'
import type { Node } from '../node/node.ts'
import type { BulkLine } from './bulk-lines.ts'
import { mayDeleteFirst } from './documents.ts'

/** The action that is checked where the index of an operation is resolved. */
const ACTION_OF: Readonly<Record<BulkAction, Action>> = {
  index: 'indices:data/write/index',
  create: 'indices:data/write/index',
  delete: 'indices:data/write/delete',
  update: 'indices:data/write/update',
}

/** Targets of the operations of one bulk: each name is resolved once for an action. */
export class BulkTargets {
  readonly #node: Node
  readonly #context: CallContext
  readonly #targets: Record<BulkAction, Map<string, WriteTarget | EngineError>> = {
    index: new Map(),
    create: new Map(),
    delete: new Map(),
    update: new Map(),
  }

  /** The last line that was asked for: most bulks have one target. */
  #last: { readonly line: BulkLine; readonly target: WriteTarget } | null = null

  constructor(node: Node, context: CallContext) {
    this.#node = node
    this.#context = context
  }

  /** Resolves the names of all lines; those that may create an index go first, as in the real server. */
  async resolve(lines: readonly BulkLine[]): Promise<void> {
    const distinct = lines.filter((line, i) => i === 0 || !areAlike(line, lines[i - 1]!))
    for (const creates of [true, false])
      for (const line of distinct)
        if (mayCreate(line) === creates && !this.#targets[line.action].has(keyOf(line)))
          await this.#resolve(line)
  }

  /**
   * The target of a line that was resolved.
   * @throws {EngineError} the one that its name was refused with
   */
  of(line: BulkLine): WriteTarget {
    const last = this.#last
    if (last !== null && areAlike(line, last.line)) return last.target
    const target = this.#targets[line.action].get(keyOf(line))!
    if (target instanceof EngineError) throw target
    this.#last = { line, target }
    return target
  }

  async #resolve(line: BulkLine): Promise<void> {
    const { index, requireAlias, action } = line
    const name = { index, requireAlias, kind: action, mayCreate: mayCreate(line) }
    const target = await resolveWrite(this.#node, name, this.#context, ACTION_OF[action]).catch(
      (error: unknown) => {
        if (error instanceof EngineError) return error
        throw error
      },
    )
    this.#targets[action].set(keyOf(line), target)
  }
}

/** Whether two lines surely have one target. */
function areAlike(a: BulkLine, b: BulkLine): boolean {
  return (
    a.index === b.index &&
    a.action === b.action &&
    a.requireAlias === b.requireAlias &&
    a.versionType === b.versionType
  )
}

/** Lines of one action with the same key go to the same target; names have no blanks. */
function keyOf(line: BulkLine): string {
  if (line.requireAlias) return `alias ${line.index}`
  return mayCreate(line) ? line.index : `there ${line.index}`
}

function mayCreate(line: BulkLine): boolean {
  return line.action !== 'delete' || mayDeleteFirst(line)
}
