import { counted, define, number } from "./define.ts";
import type { WhyReason } from "../wire.ts";

/** What the sentence about one memory is made of. */
export interface Verdict {
  score: string;
  floor: string;
  place: string;
  limit: string;
  weighed: string;
  isBelowScore: boolean;
  isBeyond: boolean;
  hasVector: boolean;
  namespace: string;
}

type StageWords = Record<string, { name: string; text: string }>;

export const search = define(
  {
    title: "Search",
    lead: "Ask as an agent would, and see why each memory answers. Looking leaves no trace: nothing counts as used.",
    field: "Question or words",
    placeholder: "What did we decide about…",
    clear: "Clear",
    keys: "↓ ↑ move · Enter opens · Esc clears",
    filters: "Filters",
    filtersOn: (count: number) => `Filters (${count})`,
    clearFilters: "Clear all filters",
    missing: "Something missing?",
    found: (count: number) => counted(count, "result", "results"),
    weighed: (count: number) => `${number(count)} weighed`,
    belowFloor: (count: number) => `${number(count)} below the floor`,
    overBudget: (count: number) => `${number(count)} over the token budget`,
    adapted: "adapted by what feedback taught",
    understood: "Understood",
    understoodTime: (text: string, time: string) => `“${text}” = ${time}`,
    degraded: "Not everything took part",
    searching: "Searching…",
    results: "Results",
    rank: (place: number) => `Number ${place}`,
    why: "Why this?",
    breakdown: "What the score is made of",
    sum: "Sum",
    since: "Since",
    until: "Until",
    asOf: "As it was on",
    tagsHint: "all of them, with commas",
    limit: "Results at most",
    usual: "As configured",
    any: "Any",
    pinnedYes: "Pinned",
    pinnedNo: "Not pinned",
    without: "Without stage",
    introTitle: "How a memory is found",
    introText:
      "Every memory is weighed by several stages. Each speaks for it or against it, and the score follows from their sum. Under every result you see what each stage brought.",
    legend: "How to read the bars",
    legendFor: "speaks for it: a full bar to the right",
    legendAgainst: "speaks against it: a hatched bar to the left",
    legendScale: "All bars of a search share one scale, so they can be compared. The score, from 0 to 1, grows with their sum.",
    stages: {
      words: { name: "Words", text: "Words of the question that stand in the memory. Rare words count more." },
      meaning: { name: "Meaning", text: "How close what it means is to what was asked, whatever the words." },
      neighbours: { name: "Neighbours", text: "What was said just before and after it." },
      session: { name: "Session", text: "How well the whole conversation it belongs to fits." },
      speaker: { name: "Speaker", text: "Whether it was said by somebody the question names." },
      dates: { name: "Dates", text: "Whether it is of the time that the question speaks of." },
      graph: { name: "Graph", text: "What it is linked to brought it along." },
      typos: { name: "Typos", text: "Words that are one slip away from a known one." },
      floor: { name: "Floor", text: "Leaves out what is not relevant enough. Switched off, everything weighed is shown." },
      adaptation: { name: "Feedback", text: "What feedback has taught about such questions." },
      orbit: { name: "Orbit", text: "Nearer memories come first among those that are about equally relevant." },
    } as StageWords,
    nothingTitle: "Nothing relevant",
    nothingText: (weighed: number, below: number) =>
      weighed === 0
        ? "No memory here shares a word or a meaning with this question."
        : `${counted(weighed, "memory was", "memories were")} weighed and ${number(below)} stayed below the floor. An honest “nothing” is a right answer: an agent is better served by it than by something beside the point.`,
    nothingDo: "What you can do",
    nothingWords: "Ask in other words, or name somebody or something that it must mention.",
    nothingFilters: "The filters leave a part out.",
    nothingFloor: "Look at what lies below the floor.",
    nothingWhy: "If you know that it is there, find out what became of it.",
    showBelow: "Show below the floor",
    patterns: "Strategies that worked for such tasks",
    quality: (value: string) => `quality ${value}`,
    whyTitle: "Why it was found",
    whyNotTitle: "Why it was not found",
    whyChooseTitle: "What became of a memory?",
    whyChoose: "Choose the memory you expected. The list shows what comes near these words and is not among the results, without the floor.",
    whyAnother: "Choose another",
    whyNoQuery: "Type a question first: the answer depends on it.",
    recalled: "Found",
    notRecalled: "Not found",
    reasons: {
      recalled: (told) => `It is among the results, with place ${told.place} of ${told.weighed} weighed.`,
      below_floor: (told) =>
        told.isBelowScore
          ? `Its score of ${told.score} is below the ${told.floor} that a result needs.`
          : "It shares too little with the question to be relevant.",
      beyond_limit: (told) =>
        told.isBeyond
          ? `It is relevant, at place ${told.place}, but only ${told.limit} results were asked for.`
          : `It is about as relevant as the last of the ${told.limit} results, which go before it.`,
      over_budget: () => "It is among the best, but does not fit into the token budget beside the others.",
      filtered: () => "The filters shut it out.",
      superseded: () => "Another memory took its place, so it does not hold any more.",
      expired: () => "What it says does not hold any more.",
      trashed: () => "It lies in the trash.",
      not_weighed: (told) =>
        told.hasVector
          ? "Neither its words nor its meaning come near the question, so it was not weighed."
          : "It shares no word with the question, and it has no vector yet to compare its meaning by.",
      elsewhere: (told) => `It is in the namespace ${told.namespace}, where was not looked.`,
    } as Record<WhyReason, (told: Verdict) => string>,
    overall: "Overall",
    place: (place: number, of: number) => `place ${number(place)} of ${number(of)}`,
    floorMark: (floor: string) => `needed ${floor}`,
    limitMark: (limit: number) => `limit ${number(limit)}`,
    noStages: "It was not weighed, so no stage has an opinion on it.",
    filteredBy: "Shut out by",
    filterNames: {
      layers: "layer",
      kinds: "kind",
      tags: "tags",
      since: "since",
      until: "until",
      session: "session",
      speaker: "speaker",
      pinned: "pinned",
      context: "circumstances",
      as_of: "as-of time",
      in_session: "session that asks",
    } as Record<string, string>,
    raiseLimit: (limit: number) => `Show ${number(limit)} results`,
    dropFilters: "Take these filters away",
    seeNewer: "See what holds now",
    restoreIt: "Open it to restore it",
  },
  {
    title: "검색",
    lead: "에이전트처럼 물어보고, 각 기억이 왜 답이 되는지 확인하세요. 보기만 해서는 흔적이 남지 않으며 사용으로 세지 않습니다.",
    field: "질문 또는 낱말",
    placeholder: "우리가 무엇을 결정했지…",
    clear: "지우기",
    keys: "↓ ↑ 이동 · Enter 열기 · Esc 지우기",
    filters: "필터",
    filtersOn: (count) => `필터 (${count})`,
    clearFilters: "필터 모두 지우기",
    missing: "찾는 것이 없나요?",
    found: (count) => `결과 ${number(count)}개`,
    weighed: (count) => `${number(count)}개 검토`,
    belowFloor: (count) => `${number(count)}개 기준 미달`,
    overBudget: (count) => `${number(count)}개 토큰 한도 초과`,
    adapted: "피드백으로 배운 것을 반영함",
    understood: "이해한 시간",
    understoodTime: (text, time) => `“${text}” = ${time}`,
    degraded: "일부가 참여하지 못했습니다",
    searching: "검색 중…",
    results: "결과",
    rank: (place) => `${place}번째`,
    why: "왜 나왔나요?",
    breakdown: "점수 구성",
    sum: "합계",
    since: "부터",
    until: "까지",
    asOf: "이 시점 기준",
    tagsHint: "모두 포함, 쉼표로 구분",
    limit: "최대 결과 수",
    usual: "설정값",
    any: "상관없음",
    pinnedYes: "고정됨",
    pinnedNo: "고정 안 됨",
    without: "뺄 단계",
    introTitle: "기억을 찾는 방법",
    introText:
      "모든 기억은 여러 단계를 거쳐 검토됩니다. 각 단계는 그 기억에 찬성하거나 반대하고, 그 합으로 점수가 정해집니다. 결과마다 각 단계가 얼마나 보탰는지 볼 수 있습니다.",
    legend: "막대 읽는 법",
    legendFor: "찬성: 오른쪽으로 뻗은 채워진 막대",
    legendAgainst: "반대: 왼쪽으로 뻗은 빗금 막대",
    legendScale: "한 검색의 막대는 모두 같은 눈금을 쓰므로 서로 비교할 수 있습니다. 점수는 0에서 1 사이이며 합이 클수록 높습니다.",
    stages: {
      words: { name: "낱말", text: "질문의 낱말이 기억 안에 있는지. 드문 낱말일수록 크게 칩니다." },
      meaning: { name: "의미", text: "낱말이 달라도 뜻이 질문과 얼마나 가까운지." },
      neighbours: { name: "앞뒤 말", text: "바로 앞과 뒤에 나온 말." },
      session: { name: "세션", text: "그 기억이 속한 대화 전체가 얼마나 맞는지." },
      speaker: { name: "말한 사람", text: "질문에 나온 사람이 말한 것인지." },
      dates: { name: "날짜", text: "질문이 말하는 때의 기억인지." },
      graph: { name: "그래프", text: "이어진 기억이 함께 데려왔습니다." },
      typos: { name: "오타", text: "아는 낱말과 한 글자 다른 낱말." },
      floor: { name: "기준", text: "충분히 관련 없는 것을 뺍니다. 끄면 검토한 것을 모두 보여 줍니다." },
      adaptation: { name: "피드백", text: "이런 질문에 대해 피드백으로 배운 것." },
      orbit: { name: "궤도", text: "관련도가 비슷하면 가까운 기억이 먼저 나옵니다." },
    } as StageWords,
    nothingTitle: "관련된 기억이 없습니다",
    nothingText: (weighed, below) =>
      weighed === 0
        ? "이 질문과 낱말이나 뜻이 통하는 기억이 없습니다."
        : `기억 ${number(weighed)}개를 검토했고 ${number(below)}개가 기준에 못 미쳤습니다. 솔직하게 “없다”고 하는 것도 옳은 답입니다. 엉뚱한 것을 주는 것보다 에이전트에게 낫습니다.`,
    nothingDo: "이렇게 해 보세요",
    nothingWords: "다른 말로 묻거나, 꼭 들어 있을 사람이나 사물의 이름을 넣어 보세요.",
    nothingFilters: "필터 때문에 빠진 것이 있을 수 있습니다.",
    nothingFloor: "기준에 못 미친 것도 살펴보세요.",
    nothingWhy: "분명히 있는 기억이라면 어떻게 되었는지 알아보세요.",
    showBelow: "기준 미달도 보기",
    patterns: "이런 일에 통했던 방법",
    quality: (value) => `품질 ${value}`,
    whyTitle: "찾은 이유",
    whyNotTitle: "찾지 못한 이유",
    whyChooseTitle: "그 기억은 어떻게 되었을까요?",
    whyChoose: "기대했던 기억을 고르세요. 이 낱말과 가깝지만 결과에 없는 것을 기준 없이 모두 보여 줍니다.",
    whyAnother: "다른 기억 고르기",
    whyNoQuery: "먼저 질문을 입력하세요. 답은 질문에 따라 달라집니다.",
    recalled: "찾음",
    notRecalled: "찾지 못함",
    reasons: {
      recalled: (told) => `결과에 들어 있습니다. 검토한 ${told.weighed}개 중 ${told.place}번째입니다.`,
      below_floor: (told) =>
        told.isBelowScore
          ? `점수(${told.score})가 결과에 필요한 ${told.floor}보다 낮습니다.`
          : "질문과 통하는 것이 너무 적어 관련이 없다고 보았습니다.",
      beyond_limit: (told) =>
        told.isBeyond
          ? `관련은 있지만 ${told.place}번째이고, 결과는 ${told.limit}개만 요청했습니다.`
          : `결과 ${told.limit}개의 마지막 것과 비슷하게 관련 있지만 그것들이 앞섭니다.`,
      over_budget: () => "가장 좋은 것에 들지만 다른 것들과 함께 토큰 한도에 들어가지 않습니다.",
      filtered: () => "필터에 걸려 빠졌습니다.",
      superseded: () => "다른 기억이 대신하게 되어 더는 유효하지 않습니다.",
      expired: () => "그 내용은 더는 유효하지 않습니다.",
      trashed: () => "휴지통에 있습니다.",
      not_weighed: (told) =>
        told.hasVector
          ? "낱말도 뜻도 질문에 가깝지 않아 검토하지 않았습니다."
          : "질문과 같은 낱말이 없고, 뜻을 견줄 벡터도 아직 없습니다.",
      elsewhere: (told) => `찾아보지 않은 이름공간 ${told.namespace}에 있습니다.`,
    } as Record<WhyReason, (told: Verdict) => string>,
    overall: "전체",
    place: (place, of) => `${number(of)}개 중 ${number(place)}번째`,
    floorMark: (floor) => `필요 ${floor}`,
    limitMark: (limit) => `한도 ${number(limit)}`,
    noStages: "검토하지 않았으므로 단계별 의견이 없습니다.",
    filteredBy: "걸린 필터",
    filterNames: {
      layers: "층",
      kinds: "종류",
      tags: "태그",
      since: "부터",
      until: "까지",
      session: "세션",
      speaker: "말한 사람",
      pinned: "고정",
      context: "정황",
      as_of: "기준 시점",
      in_session: "묻는 세션",
    } as Record<string, string>,
    raiseLimit: (limit) => `결과 ${number(limit)}개 보기`,
    dropFilters: "이 필터 빼기",
    seeNewer: "지금 유효한 것 보기",
    restoreIt: "열어서 복원하기",
  },
);

/** What a stage is called; the server may know one that this page does not. */
export function stageName(stage: string): string {
  return search().stages[stage]?.name ?? stage;
}
