import type { ShardProfile } from '../../embed/profile-report.ts'
import type { Paints } from './paint.ts'
import { drawCollectors, drawQueries } from './profile-tree.ts'
import { nanosText } from './text.ts'
import { drawTimeline, lanesOf } from './timeline.ts'

/** One shard's profile: its queries, its slices over time, its collectors. */
export function drawShard(shard: ShardProfile, width: number, paint: Paints): string[] {
  const lines = [
    `${paint.bold(shard.id)}  rewrite ${nanosText(shard.rewriteTimeInNanos)}`,
    ...drawQueries(shard.queries, width, paint),
  ]
  for (const query of shard.queries) {
    const timeline = drawTimeline(lanesOf(query), width, paint)
    if (timeline.length > 0) lines.push('', ...timeline)
  }
  return [...lines, '', ...drawCollectors(shard.collectors, width, paint)]
}
