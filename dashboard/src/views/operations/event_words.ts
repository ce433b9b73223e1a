/** Every event in a sentence. */
import { ago, define, micros, number, percent } from "../../strings/define.ts";
import { duration } from "../../strings/durations.ts";
import { words, zoneName } from "../../strings/words.ts";
import type { Event, EventKind } from "../../wire.ts";

type Of<K extends EventKind> = Extract<Event, { event: K }>;
type Sentences = { [K in EventKind]: (event: Of<K>) => string };

const layer = (name: string) => (words().layers as Record<string, string>)[name] ?? name;

const sentences = define<Sentences>(
  {
    stored: (e) => `A memory was stored in the ${zoneName(e.zone).toLowerCase()} zone`,
    repeated: () => "Something was said again that is known already",
    recalled: (e) => `“${e.query}” found ${words().memories(e.ids.length)}${e.micros == null ? "" : ` in ${micros(e.micros)}`}`,
    revised: (e) => `A memory was changed; it is at version ${e.version}`,
    forgotten: () => "A memory was moved to the trash",
    restored: () => "A memory was brought back from the trash",
    purged: (e) => `${words().memories(e.count)} destroyed for good`,
    reorbited: (e) => `Orbits were brought up to now: ${number(e.moved)} moved, ${number(e.forgotten)} forgotten`,
    zone_changed: (e) => `A memory moved from ${zoneName(e.from)} to ${zoneName(e.to)}${{ score: "", idle: ", unused for a while", room: ", since a zone was full or has room" }[e.reason] ?? ""}`,
    decayed: (e) => `Unused memories fell outward: ${number(e.demoted)} moved, ${number(e.forgotten)} forgotten`,
    auto_forgotten: (e) => `A memory went to the trash after ${number(e.idle_days)} days without use`,
    consolidated: () => "A near-duplicate was merged into another memory",
    split: () => "A merged memory stands for itself again",
    superseded: () => "A newer statement took the place of an older one",
    contradicted: () => "Two memories contradict each other",
    linked: (e) => `A memory was linked to ${number(e.targets.length)} others`,
    unlinked: (e) => `${number(e.targets.length)} edges of a memory were taken away`,
    session_started: (e) => `The session “${e.session}” began`,
    session_ended: (e) => `The session “${e.session}” ended${e.summary ? " and was summed up" : ""}`,
    namespace_moved: (e) => `The namespace ${e.from} was moved here, with ${words().memories(e.memories)}`,
    namespace_deleted: (e) => `The namespace was deleted: ${words().memories(e.memories)} ${e.purged ? "destroyed" : "in the trash"}`,
    feedback_given: (e) => `Somebody judged results: ${number(e.used.length)} of use, ${number(e.unused.length)} not`,
    weights_changed: (e) => `The weights of nearness changed to set ${e.set}: ${e.reason}`,
    imported: (e) => `${words().memories(e.memories)} imported, with ${number(e.edges)} edges`,
    pattern_learned: (e) => `A strategy that worked was learned, of quality ${percent(e.quality)}`,
    pattern_promoted: () => "A pattern proved itself and is kept for long",
    pattern_retired: () => "A pattern was put aside",
    trajectory_recorded: (e) => `A task was recorded that ended in ${{ success: "success", partial: "part of what was wanted", failure: "failure" }[e.outcome] ?? e.outcome}`,
    learned: (e) => `The ${e.name} goes by set ${e.set} now: ${e.reason}`,
    worker_dispatched: (e) => `The worker ${e.worker} began`,
    worker_completed: (e) => `The worker ${e.worker} ${e.ok ? "is done" : "did not finish its work"} after ${duration(e.duration_ms)}`,
    worker_alert: (e) => `The worker ${e.worker} found something: ${e.message}`,
    observed: (e) => `The notes of “${e.session}” grew`,
    reflected: (e) => `The notes of “${e.session}” were condensed`,
    promoted: (e) => `${number(e.candidates)} candidates became durable notes`,
    compacted: (e) => `The durable notes were condensed to ${number(e.tokens)} tokens`,
    expired: (e) => `A memory of the layer ${layer(e.layer)} reached the end of its time`,
    evicted: () => "A memory left a full working memory",
    layer_promoted: (e) => `${words().memories(e.sources.length)} of ${layer(e.from)} became one of ${layer(e.to)}`,
    promotion_undone: (e) => `A promotion was undone; ${words().memories(e.sources.length)} stand for themselves again`,
    outlived: (e) => `An episode went to the trash at ${number(e.age_days)} days of age`,
    cleaned_up: (e) => `The clean-up moved a memory to the trash: ${{ too_many: "there were too many", low_score: "its score was too low", idle: "it was unused for too long" }[e.reason] ?? e.reason}`,
    snapshot_taken: (e) => `${number(e.episodes)} episodes were written to ${e.file}`,
    backed_up: (e) => `The backup ${e.backup} was made and verified`,
    backup_restored: (e) => `The backup ${e.backup} took the place of what was here: ${words().memories(e.memories)}`,
    journal_dropped: (e) => `${number(e.entries)} journal events and ${number(e.turns)} turns from before ${ago(e.before)} left the journal`,
    operation_failed: (e) => `${e.operation} failed${e.count > 1 ? ` ${number(e.count)} times` : ""}: ${e.reason}`,
    key_created: (e) => `The key ${e.key} was created: ${e.role} in ${e.scope}`,
    key_revoked: (e) => `The key ${e.key} was revoked`,
    writes_queued: (e) => `The store took no writes, so they wait on this machine: ${e.reason}`,
    queue_emptied: (e) => `Nothing waits any more: ${number(e.replayed)} made, ${number(e.dead)} given up`,
    access_refused: (e) => `${e.action} was refused${e.count > 1 ? ` ${number(e.count)} times` : ""}: ${e.reason}`,
  },
  {
    stored: (e) => `기억이 ${zoneName(e.zone)} 구역에 저장되었습니다`,
    repeated: () => "이미 아는 내용이 다시 언급되었습니다",
    recalled: (e) => `“${e.query}” 질문에 ${words().memories(e.ids.length)}를 찾았습니다${e.micros == null ? "" : ` (${micros(e.micros)})`}`,
    revised: (e) => `기억이 수정되어 버전 ${e.version}이 되었습니다`,
    forgotten: () => "기억을 휴지통으로 옮겼습니다",
    restored: () => "휴지통에서 기억을 되살렸습니다",
    purged: (e) => `${words().memories(e.count)}를 완전히 지웠습니다`,
    reorbited: (e) => `궤도를 현재에 맞췄습니다: 이동 ${number(e.moved)}, 삭제 ${number(e.forgotten)}`,
    zone_changed: (e) => `기억이 ${zoneName(e.from)}에서 ${zoneName(e.to)} 구역으로 옮겨졌습니다${{ score: "", idle: " (한동안 쓰이지 않음)", room: " (구역의 자리)" }[e.reason] ?? ""}`,
    decayed: (e) => `쓰이지 않은 기억이 바깥으로 밀려났습니다: 이동 ${number(e.demoted)}, 삭제 ${number(e.forgotten)}`,
    auto_forgotten: (e) => `${number(e.idle_days)}일 동안 쓰이지 않은 기억이 휴지통으로 갔습니다`,
    consolidated: () => "거의 같은 기억을 하나로 합쳤습니다",
    split: () => "합쳐졌던 기억이 다시 따로 섰습니다",
    superseded: () => "새 내용이 이전 내용을 대신합니다",
    contradicted: () => "두 기억이 서로 모순됩니다",
    linked: (e) => `기억 하나를 다른 ${number(e.targets.length)}개와 연결했습니다`,
    unlinked: (e) => `기억의 연결 ${number(e.targets.length)}개를 끊었습니다`,
    session_started: (e) => `세션 “${e.session}”이(가) 시작되었습니다`,
    session_ended: (e) => `세션 “${e.session}”이(가) 끝났습니다${e.summary ? " (요약됨)" : ""}`,
    namespace_moved: (e) => `이름공간 ${e.from}이(가) 이곳으로 옮겨졌습니다: ${words().memories(e.memories)}`,
    namespace_deleted: (e) => `이름공간이 삭제되었습니다: ${words().memories(e.memories)} ${e.purged ? "완전 삭제" : "휴지통"}`,
    feedback_given: (e) => `결과가 평가되었습니다: 쓸모 있음 ${number(e.used.length)}, 없음 ${number(e.unused.length)}`,
    weights_changed: (e) => `가까움의 가중치가 ${e.set}번으로 바뀌었습니다: ${e.reason}`,
    imported: (e) => `${words().memories(e.memories)}와 연결 ${number(e.edges)}개를 가져왔습니다`,
    pattern_learned: (e) => `통했던 전략을 배웠습니다 (품질 ${percent(e.quality)})`,
    pattern_promoted: () => "패턴이 입증되어 오래 보관됩니다",
    pattern_retired: () => "패턴을 보류했습니다",
    trajectory_recorded: (e) => `작업이 기록되었습니다: ${{ success: "성공", partial: "부분 성공", failure: "실패" }[e.outcome] ?? e.outcome}`,
    learned: (e) => `${e.name === "router" ? "라우터" : "어댑터"}가 이제 ${e.set}번을 따릅니다: ${e.reason}`,
    worker_dispatched: (e) => `작업자 ${e.worker}이(가) 시작했습니다`,
    worker_completed: (e) => `작업자 ${e.worker}이(가) ${duration(e.duration_ms)} 만에 ${e.ok ? "마쳤습니다" : "끝내지 못했습니다"}`,
    worker_alert: (e) => `작업자 ${e.worker}의 발견: ${e.message}`,
    observed: (e) => `“${e.session}”의 노트가 늘었습니다`,
    reflected: (e) => `“${e.session}”의 노트를 간추렸습니다`,
    promoted: (e) => `후보 ${number(e.candidates)}개가 지속 노트가 되었습니다`,
    compacted: (e) => `지속 노트를 토큰 ${number(e.tokens)}개로 간추렸습니다`,
    expired: (e) => `${layer(e.layer)} 층의 기억이 수명을 다했습니다`,
    evicted: () => "가득 찬 작업 기억에서 하나가 밀려났습니다",
    layer_promoted: (e) => `${layer(e.from)} 층의 ${words().memories(e.sources.length)}가 ${layer(e.to)} 층의 하나가 되었습니다`,
    promotion_undone: (e) => `승격을 취소했습니다. ${words().memories(e.sources.length)}가 다시 따로 섭니다`,
    outlived: (e) => `${number(e.age_days)}일 된 일화가 휴지통으로 갔습니다`,
    cleaned_up: (e) => `정리가 기억을 휴지통으로 옮겼습니다: ${{ too_many: "너무 많음", low_score: "낮은 점수", idle: "오래 쓰이지 않음" }[e.reason] ?? e.reason}`,
    snapshot_taken: (e) => `일화 ${number(e.episodes)}개를 ${e.file}에 썼습니다`,
    backed_up: (e) => `백업 ${e.backup}을(를) 만들고 검증했습니다`,
    backup_restored: (e) => `백업 ${e.backup}이(가) 기존 내용을 대신합니다: ${words().memories(e.memories)}`,
    journal_dropped: (e) => `${ago(e.before)} 이전의 저널 이벤트 ${number(e.entries)}개와 턴 ${number(e.turns)}개를 정리했습니다`,
    operation_failed: (e) => `${e.operation} 실패${e.count > 1 ? ` ${number(e.count)}번` : ""}: ${e.reason}`,
    key_created: (e) => `키 ${e.key}을(를) 만들었습니다: ${e.scope}에서 ${e.role}`,
    key_revoked: (e) => `키 ${e.key}을(를) 폐기했습니다`,
    writes_queued: (e) => `저장소가 쓰기를 받지 못해 이 컴퓨터에서 대기합니다: ${e.reason}`,
    queue_emptied: (e) => `기다리는 것이 없습니다: 처리 ${number(e.replayed)}, 포기 ${number(e.dead)}`,
    access_refused: (e) => `${e.action} 거절${e.count > 1 ? ` ${number(e.count)}번` : ""}: ${e.reason}`,
  },
);

const OWN = ["number", "at", "namespace", "event"];

/** What happened. A kind that this page does not know is told by its name and fields. */
export function sentence(event: Event): string {
  const teller = sentences()[event.event] as ((event: Event) => string) | undefined;
  if (teller) return teller(event);
  const { event: kind } = event as { event: string };
  const fields = Object.entries(event).filter(([name]) => !OWN.includes(name));
  return [kind.replaceAll("_", " "), ...fields.map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)].join(" · ");
}

const ID_FIELDS = ["id", "ids", "survivor", "absorbed", "newer", "older", "first", "second", "source", "targets", "summary", "used", "unused", "sources"];
const GONE: string[] = ["purged"];

/** The memories that an event is about, as far as they can still be opened. */
export function memoriesOf(event: Event): string[] {
  if (GONE.includes(event.event)) return [];
  const fields = event as unknown as Record<string, unknown>;
  const found = ID_FIELDS.flatMap((name) => fields[name] ?? []);
  return [...new Set(found.filter((one) => typeof one === "string"))];
}
