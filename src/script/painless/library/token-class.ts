/** The variable `token` of scripts in analysis. */
import { ScriptObject } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

const JAVA_NAME = 'org.opensearch.analysis.common.AnalysisPredicateScript$Token'

/** The members of a token that scripts read. */
export interface ScriptedToken {
  readonly term: string
  readonly type: string
  readonly positionIncrement: number
  readonly positionLength: number
  readonly startOffset: number
  readonly endOffset: number
  readonly isKeyword: boolean
}

/** A token of a stream; the same object serves token after token. */
export class TokenValue extends ScriptObject {
  readonly className: string = JAVA_NAME
  readonly token: ScriptedToken
  /** In the text, from 0. */
  position = 0

  /** @param token the state that the stages of a chain share */
  constructor(token: ScriptedToken) {
    super()
    this.token = token
  }

  override text(): string {
    return this.className
  }
}

/** Classes of the context `analysis`. */
export const TOKEN_CLASSES: readonly ClassType[] = [
  {
    ...classOf('AnalysisToken', JAVA_NAME, value => value instanceof TokenValue),
    methods: members({
      'CharSequence getTerm()': (_run, { token }: TokenValue) => token.term,
      'int getEndOffset()': (_run, { token }: TokenValue) => token.endOffset,
      'int getPosition()': (_run, { position }: TokenValue) => position,
      'int getPositionIncrement()': (_run, { token }: TokenValue) => token.positionIncrement,
      'int getPositionLength()': (_run, { token }: TokenValue) => token.positionLength,
      'int getStartOffset()': (_run, { token }: TokenValue) => token.startOffset,
      'String getType()': (_run, { token }: TokenValue) => token.type,
      'boolean isKeyword()': (_run, { token }: TokenValue) => token.isKeyword,
    }),
  },
]
