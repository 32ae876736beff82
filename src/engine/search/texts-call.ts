import type { Cancellation } from '../../util/cancellation.ts'
import type { Charge } from '../api/memory-charge.ts'
import type { Node } from '../node/node.ts'
import type { BackgroundCall } from './count-backgrounds.ts'
import type { IndexSearch } from './index-search.ts'

/** The search around aggregations that analyse texts. */
export interface TextsCall extends BackgroundCall {
  readonly node: Node
  readonly search: Pick<IndexSearch, 'index' | 'view'>
  readonly signal: Cancellation
  /** Terms and matches are charged to it. */
  readonly charge: Charge
}
