import { urlDecode } from '../../util/url-decode.ts'
import type { ProcessorType } from '../processor.ts'
import { textProcessor } from './text-processor.ts'

/** `urldecode`: `+` as a blank, `%` and two digits as a byte of UTF-8. */
export const URLDECODE: ProcessorType = textProcessor('urldecode', () => text => urlDecode(text))
