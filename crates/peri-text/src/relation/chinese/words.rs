//! The Chinese word lists. A word that is missing costs a verdict, a word too many may cost a memory.

/// Traditional characters that are common, with their simplified forms.
pub(super) const TRADITIONAL: &str = "用用戶户喜喜歡欢簡简們们個个這这時时間间說说國国來来對对會会學学開开關关過过還还進进\
    後后為为當当從从與与發发現现點点車车長长東东書书問问見见電电話话號号碼码應应該该經经濟济業业務务員员產产區区實实際际題题買买賣卖\
    錢钱錯错鐘钟門门聞闻閉闭認认證证記记設设計计試试請请讓让變变換换數数據据庫库檔档網网絡络線线組组織织結结總总續续編编譯译輸输\
    轉转軟软體体錄录檢检測测執执處处環环境境啟启動动運运連连達达遠远選选擇择愛爱歲岁師师張张陳陈劉刘楊杨趙赵黃黄吳吴馬马";

/// Openings that say nothing about what follows.
#[rustfmt::skip]
pub(super) const OPENINGS: &[&str] = &[
    "请注意", "请记住", "注意", "记住", "另外", "此外", "顺便说一下", "顺便说", "提醒一下", "提醒", "备注",
    "而且", "对了", "总之",
];

/// Other words for the same, each with the one that is kept; longer ones first.
#[rustfmt::skip]
pub(super) const SYNONYMS: &[(&str, &str)] = &[
    ("从现在起", "现在"), ("从现在开始", "现在"), ("目前", "现在"), ("名叫", "叫"), ("如今", "现在"),
    ("大概", "大约"), ("差不多", "大约"), ("之前", "前"), ("之后", "后"), ("以后", "后"), ("上班", "工作"),
    ("任职", "工作"), ("居住在", "住在"), ("计算机", "电脑"), ("使用", "用"), ("这个", ""), ("是一个", "是"),
    ("有一个", "有"), ("已经", "已"), ("搬家到", "搬到"), ("搬去", "搬到"), ("搬至", "搬到"),
    ("移居到", "搬到"), ("移居", "搬到"), ("星期天", "周日"), ("星期", "周"), ("礼拜", "周"),
    ("电子邮箱", "邮箱"), ("电子邮件", "邮箱"), ("手机号码", "手机号"), ("再也不", "不再"),
];

/// Characters that can be left out without a loss; 了 is kept because it tells of the past.
pub(super) const FILLERS: &[&str] = &["的", "都"];

/// Pieces of a sentence that make it a wish, a plan, a guess, a condition or a report.
#[rustfmt::skip]
pub(super) const UNREAL: &[&str] = &[
    "可能", "也许", "想", "打算", "计划", "准备", "希望", "如果", "要是", "假如", "应该", "应当", "建议",
    "听说", "据说", "差点", "差一点", "考虑", "愿意", "万一", "似乎", "好像", "或许", "估计", "提议", "决定",
    "快要", "即将", "以为", "梦", "将", "要搬", "要换", "要改", "会搬", "说", "告诉", "觉得", "认为", "怀疑",
    "期待", "争取", "尝试", "试图", "拒绝", "假装", "等到", "一旦", "只要", "除非", "能不能", "问他", "问她",
    "问我", "确认", "假设", "传闻", "小说", "游戏里",
];

/// Pieces that limit a statement to a while.
#[rustfmt::skip]
pub(super) const TEMPORARY: &[&str] = &[
    "今天", "这周", "本周", "明天", "昨天", "暂时", "临时", "上周", "下周", "今晚", "这个月", "本月",
    "这几天", "前天", "后天", "有时", "偶尔", "出差", "旅游", "度假", "去年", "明年", "上个月", "下个月",
];

/// Pieces that tell of the past.
#[rustfmt::skip]
pub(super) const PAST: &[&str] = &[
    "以前", "曾", "过去", "原来", "从前", "当时", "那时", "早先", "之前住", "之前在", "之前用", "之前是",
    "之前叫", "之前的",
];

/// Pieces that tell of an addition rather than a change.
pub(super) const ADDITIVE: &[&str] = &["也", "还", "同时", "另外", "又", "此外", "仍", "依然"];

/// Pieces that ask.
#[rustfmt::skip]
pub(super) const ASKING: &[&str] =
    &[
    "吗", "是不是", "有没有", "能不能", "是否", "什么", "谁", "哪", "怎么", "为何", "多少",
];

/// First characters that point at something said elsewhere.
pub(super) const POINTERS: &[&str] = &["他", "她", "它", "这", "那", "你", "您", "有人", "大家", "其"];

/// Words that hold 不, 没 or 过 and neither deny nor tell of the past.
#[rustfmt::skip]
pub(super) const SET_PHRASES: &[&str] = &[
    "不同", "不错", "不过", "不仅", "不但", "不断", "不久", "不只", "差不多", "通过", "超过", "过敏", "过期",
    "经过", "过程", "过滤", "过载", "未来", "没关系", "胜过", "不管", "无论", "不论",
];

/// What has one value at a time when somebody or something has it.
#[rustfmt::skip]
pub(super) const ATTRIBUTES: &[&str] = &[
    "邮箱", "端口", "截止日期", "截止时间", "期限", "版本", "版本号", "密码", "口令", "经理", "上司", "老板",
    "领导", "组长", "队长", "生日", "名字", "名称", "姓名", "名", "昵称", "地址", "住址", "电话", "手机号",
    "号码", "电话号码", "超时", "超时时间", "预算", "价格", "房租", "工资", "妻子", "丈夫", "女朋友",
    "男朋友", "女友", "男友", "分支", "域名", "职业", "职位", "身高", "体重", "上限", "下限", "限制", "周期",
    "间隔", "总部", "家乡", "室友", "年龄", "代号", "吉祥物", "首都", "会长", "校长", "总裁", "供应商",
];

/// Jobs, so that a promotion replaces a job and not a hobby.
#[rustfmt::skip]
pub(super) const ROLES: &[&str] = &[
    "工程师", "经理", "主管", "总监", "助理", "实习生", "组长", "开发", "设计师", "分析师", "研究员", "讲师",
    "教授", "副教授", "员工", "科长", "处长", "部长", "主任", "架构师",
];

/// Homes without a name, and lands, which hold cities.
#[rustfmt::skip]
pub(super) const NOT_A_HOME: &[&str] = &[
    "家", "公寓", "房子", "宿舍", "乡下", "城里", "郊区", "中国", "美国", "英国", "法国", "德国", "日本",
    "韩国", "加拿大", "澳大利亚", "俄罗斯", "印度", "欧洲", "亚洲", "国外", "海外", "省", "一套", "一间",
    "附近", "酒店", "部", "团队", "办公室", "桌", "房间", "楼", "这里", "那里", "旁边",
];

/// Ends of a predicate that describes rather than names; two of them may hold at once.
#[rustfmt::skip]
pub(super) const DESCRIPTIONS: &[&str] = &[
    "人", "母亲", "父亲", "老师", "医生", "专家", "新手", "同学", "朋友", "老乡", "性", "男", "女", "好",
    "坏", "高", "低", "大", "小", "多", "少", "快", "慢", "新", "旧", "强", "弱", "忙", "错", "对", "假",
    "真", "长", "短", "贵", "便宜", "重要", "公开", "秘密", "固定", "随机", "病", "帅", "美", "胖", "瘦",
];

/// Opposites. Each pair is looked for both ways round; what the two share is left out.
#[rustfmt::skip]
pub(super) const ANTONYMS: &[(&str, &str)] = &[
    ("开启", "关闭"), ("打开", "关闭"), ("启用", "禁用"), ("开着", "关着"), ("必需", "可选"),
    ("允许", "禁止"), ("总是", "从不"), ("一直", "从不"), ("喜欢", "讨厌"), ("喜欢", "不喜欢"), ("爱", "恨"),
    ("必须", "可选"), ("必填", "可选"), ("公开", "私有"), ("成功", "失败"), ("通过", "失败"),
    ("接受", "拒绝"), ("同意", "拒绝"), ("支持", "反对"), ("安全", "危险"), ("同步", "异步"),
    ("在线", "离线"), ("所有", "没有"), ("已婚", "未婚"), ("已婚", "单身"), ("可用", "不可用"),
    ("有效", "无效"), ("包含", "排除"), ("可变", "不可变"),
];
