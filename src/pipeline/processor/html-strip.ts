import { HtmlStripper } from '../../util/html/html-stripper.ts'
import type { ProcessorType } from '../processor.ts'
import { textProcessor } from './text-processor.ts'

const NO_TAGS: ReadonlySet<string> = new Set()

/** `html_strip`: a text without its markup. */
export const HTML_STRIP: ProcessorType = textProcessor(
  'html_strip',
  () => text => new HtmlStripper(text, NO_TAGS).strip(),
)
