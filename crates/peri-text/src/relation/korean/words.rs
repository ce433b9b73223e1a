//! The Korean word lists. A word that is missing costs a verdict, a word too many may cost a memory.

use super::read::Role;

/// Particles with their roles, the longer ones first.
#[rustfmt::skip]
pub(super) const PARTICLES: &[(&str, Role)] = &[
    ("에게서", Role::From), ("한테서", Role::From), ("으로부터", Role::From), ("로부터", Role::From),
    ("에서는", Role::From), ("에서도", Role::Also), ("에게는", Role::To), ("에게도", Role::Also),
    ("으로는", Role::Into), ("으로도", Role::Also), ("에서", Role::From), ("에게", Role::To),
    ("한테", Role::To), ("에는", Role::At), ("에도", Role::Also), ("으로", Role::Into), ("로는", Role::Into),
    ("로도", Role::Also), ("까지", Role::Until), ("부터", Role::Since), ("보다", Role::Than),
    ("처럼", Role::Like), ("마다", Role::Each), ("하고", Role::With), ("이랑", Role::With),
    ("은", Role::Subject), ("는", Role::Subject), ("이", Role::Subject), ("가", Role::Subject),
    ("을", Role::Object), ("를", Role::Object), ("의", Role::Plain), ("에", Role::At), ("로", Role::Into),
    ("도", Role::Also), ("만", Role::Only), ("과", Role::With), ("와", Role::With), ("랑", Role::With),
];

/// Openings that say nothing about what follows.
#[rustfmt::skip]
pub(super) const OPENINGS: &[&str] = &[
    "참고로", "그리고", "그런데", "기억해", "줘", "줘요", "주세요", "기억하세요", "참고", "메모", "아", "음",
    "알림", "기억해줘",
];

/// Words that can be left out without a loss.
pub(super) const FILLERS: &[&str] = &["더", "정말", "진짜", "좀", "아주"];

/// Words that say that something holds now, as opposed to before.
#[rustfmt::skip]
pub(super) const NOW: &[&str] =
    &[
    "이제", "이제는", "이젠", "지금은", "현재", "현재는", "요즘은", "앞으로는", "이제부터", "이제부터는",
];

/// Stems that a present form clips, with the whole ones.
#[rustfmt::skip]
pub(super) const CLIPPED: &[(&str, &str)] = &[
    ("사", "살"), ("노", "놀"), ("아", "알"), ("만드", "만들"), ("여", "열"), ("파", "팔"), ("거", "걸"),
    ("드", "들"),
];

/// Pieces of a sentence that make it a wish, a plan, a guess, a condition or a report.
#[rustfmt::skip]
pub(super) const UNREAL: &[&str] = &[
    "지도 모", "지 모", "싶", "예정", "계획", "야 한", "야 하", "야 해", "야 됩", "야 된", "뻔", "제안",
    "물었", "물어", "자고", "려고", "려 한", "고민", "생각", "것이다", "것입", "것 같", "거야", "거예요",
    "겁니다", "겠", "아마", "다고", "라고", "원하", "원한", "바라", "바란", "게요", "수도 있", "는지", "을지",
    "추천", "권했", "권한다", "소문", "들었", "만약", "혹시", "할 것", "갈 것", "꿈", "하면", "되면", "으면",
    "다면", "가면", "오면", "기로 했", "검토", "준비 중", "희망", "모르", "몰라", "볼까", "할까", "거절",
    "포기", "실패", "때문", "직전", "약속",
];

/// Pieces that limit a statement to a while.
#[rustfmt::skip]
pub(super) const TEMPORARY: &[&str] = &[
    "오늘", "이번", "내일", "어제", "잠시", "임시", "당분간", "다음 주", "다음 달", "다음주", "다음달",
    "지난", "가끔", "때때로", "올해만", "동안만", "출장", "여행", "휴가",
];

/// Pieces that tell of the past beside the tense.
#[rustfmt::skip]
pub(super) const PAST: &[&str] = &[
    "예전", "과거", "한때", "옛날", "었었", "았었", "했었", "갔었", "살던", "쓰던", "다니던", "이전에",
    "전에는", "원래",
];

/// Words that tell of an addition rather than a change.
pub(super) const ADDITIVE: &[&str] = &["또한", "역시", "추가로", "함께", "외에", "또", "여전히", "아직"];

/// Subjects that point at something said elsewhere.
#[rustfmt::skip]
pub(super) const POINTERS: &[&str] = &[
    "그", "그녀", "그들", "이것", "그것", "저것", "거기", "여기", "누군가", "너", "당신", "이거", "그거",
    "얘", "걔", "누가", "무엇", "뭐",
];

/// Ends of a predicate that asks.
#[rustfmt::skip]
pub(super) const ASKING: &[&str] =
    &[
    "니까", "나요", "까요", "가요", "는가", "인가", "을까", "할까", "했나", "냐", "했니", "있니", "맞지",
];

/// What has one value at a time when somebody or something has it.
#[rustfmt::skip]
pub(super) const ATTRIBUTES: &[&str] = &[
    "이메일", "메일", "이름", "별명", "생일", "마감일", "마감", "기한", "버전", "비밀번호", "암호", "팀장",
    "상사", "매니저", "대표", "담당자", "당직자", "관리자", "책임자", "서버", "전화번호", "번호", "주소",
    "나이", "포트", "남편", "아내", "여자친구", "남자친구", "타임아웃", "예산", "가격", "월세", "연봉",
    "브랜치", "도메인", "직업", "직책", "키", "몸무게", "제한", "한도", "기간", "주기", "고향", "소유자",
    "사장", "회장", "기념일", "아이디", "본사", "코드네임", "마스코트",
];

/// Jobs, so that a promotion replaces a job and not a hobby.
#[rustfmt::skip]
pub(super) const ROLES: &[&str] = &[
    "인턴", "사원", "주임", "대리", "과장", "차장", "부장", "팀장", "이사", "상무", "전무", "선임", "책임",
    "수석", "매니저", "엔지니어", "개발자", "디자이너", "연구원", "조교수", "부교수", "교수", "본부장",
    "실장", "파트장",
];

/// Homes without a name, and lands, which hold cities.
#[rustfmt::skip]
pub(super) const NOT_A_HOME: &[&str] = &[
    "집", "아파트", "원룸", "기숙사", "시골", "도시", "주택", "오피스텔", "한국", "대한민국", "미국", "중국",
    "일본", "독일", "프랑스", "영국", "스페인", "이탈리아", "캐나다", "호주", "베트남", "태국", "인도",
    "유럽", "아시아", "외국", "해외", "근처", "동네", "경기도", "강원도", "팀", "부서", "마케팅팀", "개발팀",
    "영업팀", "본사", "지사", "곳", "옆", "위", "아래",
];

/// Ends of nouns that say what somebody is like rather than who it is.
#[rustfmt::skip]
pub(super) const TRAITS: &[&str] = &[
    "인", "사람", "여자", "남자", "엄마", "아빠", "출신", "전문가", "초보", "신입", "베테랑", "동갑", "동기",
    "친구", "선배", "후배",
];

/// Ends of stems that are verbs or adjectives.
#[rustfmt::skip]
pub(super) const VERB_ENDS: &[&str] = &[
    "하", "되", "있", "없", "좋", "쁘", "크", "작", "많", "적", "높", "낮", "길", "짧", "멀", "깝", "롭",
    "럽", "답", "싸", "르", "리", "지", "치", "쓰", "살", "먹", "같", "맞", "틀리", "어렵", "쉽", "맵", "덥",
    "춥", "무섭", "밝", "어둡", "늦", "젊", "늙", "넓", "좁", "ㄹ수있",
];

/// Opposite predicates and words. Each pair is looked for both ways round.
#[rustfmt::skip]
pub(super) const ANTONYMS: &[(&str, &str)] = &[
    ("켜져", "꺼져"), ("켜", "끄"), ("좋아하", "싫어하"), ("허용되", "금지되"), ("허용하", "금지하"),
    ("열려", "닫혀"), ("열", "닫"), ("필수", "선택"), ("가능하", "불가능하"), ("공개", "비공개"),
    ("전", "후"), ("전에", "후에"), ("성공했", "실패했"), ("통과했", "실패했"),
    ("활성화되어", "비활성화되어"), ("활성화되", "비활성화되"), ("빠르", "느리"), ("많", "적"), ("높", "낮"),
    ("크", "작"), ("안전하", "위험하"), ("동기", "비동기"), ("찬성하", "반대하"), ("수락했", "거절했"),
    ("잠겨", "열려"), ("맞", "틀리"),
];
