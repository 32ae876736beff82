/** Char filter `html_strip`: see `util/html/html-stripper.ts`; offsets are those of the text before. */
import { HtmlStripper } from '../../util/html/html-stripper.ts'
import type { CharFilterFactory } from '../component.ts'
import { listOption } from '../options.ts'
import type { CharFilterComponent } from '../token-stream.ts'
import { OffsetMap } from './offset-map.ts'

/** `html_strip`. */
export const htmlStripCharFilter: CharFilterFactory = (name, options): CharFilterComponent => {
  const kept = new Set(listOption(options, 'escaped_tags').map(tag => tag.toLowerCase()))
  return {
    name,
    filter(text) {
      if (!/[<&]/.test(text)) return { text, correct: null }
      const map = new OffsetMap()
      const stripper = new HtmlStripper(text, kept, (at, difference) => map.add(at, difference))
      return { text: stripper.strip(), correct: map.correction() }
    },
  }
}
