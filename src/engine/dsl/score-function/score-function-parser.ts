import type { ScoreFunction } from '../../../search/weight/function/score-function.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import type { QueryContext } from '../query-context.ts'

/** A function as it was read, before the index is known. */
export type ParsedFunction = (context: QueryContext) => ScoreFunction

/** Reads the object behind a function's name; an `EngineError` of 400 where it is no such function. */
export type ScoreFunctionParser = (node: JsonObjectNode) => ParsedFunction
