import { EngineError } from '../../util/errors.ts'
import { Matcher } from '../../util/pattern/matcher.ts'
import { compilePattern, type Program } from '../../util/pattern/pattern-program.ts'
import { Replacement } from '../../util/pattern/replacement.ts'
import type { ProcessorType } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'
import { textProcessor } from './text-processor.ts'

/** `gsub`: every match of an expression replaced. */
export const GSUB: ProcessorType = textProcessor('gsub', config => {
  const program = programOf(config, config.text('pattern'))
  const replacement = replacementOf(config, config.text('replacement'), program)
  const matcher = new Matcher(program)
  return (text, _field, document) => {
    matcher.reset(text)
    let result = ''
    let copied = 0
    for (let from = 0; from <= text.length && matcher.find(from); ) {
      const start = matcher.groups[0]!
      const end = matcher.groups[1]!
      const made = replacement.expand(matcher, text)
      document.charge(made.length)
      result += text.slice(copied, start) + made
      copied = end
      from = end > start ? end : end + 1
    }
    return result + text.slice(copied)
  }
})

function programOf(config: ProcessorConfig, pattern: string): Program {
  try {
    return compilePattern(pattern, '')
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw config.fault('pattern', `Invalid regex pattern. ${error.record.reason}`)
  }
}

function replacementOf(config: ProcessorConfig, text: string, program: Program): Replacement {
  try {
    return new Replacement(text, program)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw config.fault('replacement', error.record.reason)
  }
}
