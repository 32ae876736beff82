/** The variable `explanation` of score scripts, which words the explanation of the score. */
import { ScriptObject } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

/** Takes the words that a script gives its score. */
export class ExplanationValue extends ScriptObject {
  readonly className: string = 'org.opensearch.script.ScoreScript$ExplanationHolder'
  /** Null: the script gave none. */
  description: string | null = null

  override text(): string {
    return this.className
  }
}

/** Classes of the context `score`. */
export const EXPLANATION_CLASSES: readonly ClassType[] = [
  {
    ...classOf(
      'ExplanationHolder',
      'org.opensearch.script.ScoreScript$ExplanationHolder',
      value => value instanceof ExplanationValue,
    ),
    methods: members({
      'void set(String)': (_run, holder: ExplanationValue, text: string) => {
        holder.description = text
      },
    }),
  },
]
