//! English phrases.

use super::{Cue, Row};

pub(super) const TABLE: &[Row] = &[
    (
        Cue::Plain,
        "always here for | never had | never been | never seen | never tried | never heard | never knew |
         never thought | never give up | never quit | never felt | , not just | , not only | , not sure |
         , not really | , not yet | , not bad | let's keep going | let's keep chasing | let's keep each |
         let's keep making | let's do it | let's do this | don't quit | don't give up | don't let |
         don't miss | don't be | don't worry | don't stop | don't hesitate | keep going | keep up |
         keep on | keep pushing | keep it up | keep me | remind me why | remind me of | to remind me |
         you need to | you have to | you should | you gotta | what i have to | got to let | got to see |
         got to meet | got to go | got to know | everyone we love | always there for | look forward |
         looking forward | where you need | even if | as if | everything lives | it lives in | data lives |
         code lives | state lives | finally understand | i always forget | i always wonder |
         i always thought | all the time | not at all | at all | could not | couldn't | i'll be |
         i will be | i'm a bit | i'm a little | my fault | my bad | there must be | i'm a fan of you |
         made a mistake in | no thanks | no thank you | never mind that | not to mention | all right |
         any idea how | would like | i'd like | not only | no problem | no worries | no idea |
         must be nice | must have been | must've | have to say | have to admit | always nice | always fun |
         as always | not just | let's see | let's look | let's check | would you like | of course not |
         why not | not bad | no longer than | error handling | error message | error messages |
         bug report | bug reports | bug fix | used to it | well done | not sure why | not sure what causes",
    ),
    (
        Cue::Unreal,
        "would | wouldn't | could | might | maybe | perhaps | possibly | what if | suppose | supposing |
         imagine | imagine if | i wish | wish we | if only | someday | some day | one day |
         hypothetically | in theory | theoretically | let's say | let's pretend | we'd | they'd | it'd |
         pretend | in case we | were to | dream of | dreaming of | hopefully | ideally | may want to |
         thought experiment",
    ),
    (Cue::Conditional, "if | unless | assuming | provided that | in case | as long as | whenever"),
    (
        Cue::Undecided,
        "i should probably | we should probably | not decided | haven't decided | hasn't decided |
         have not decided | didn't decide | undecided | not sure | unsure | i'm thinking about |
         we're thinking about | thinking of | thinking about | considering | i wonder | wondering |
         don't know | do not know | dunno | no decision | still deciding | still debating | not yet clear |
         up in the air | tempted to | toying with | haven't agreed | open question | can't decide |
         trying to decide | need to decide | have to decide | haven't settled | not settled | yet to decide",
    ),
    (
        Cue::Hearsay,
        "he says | she says | they say | people say | he said | she said | they said | people said |
         someone said | says everyone | says that | i heard | i read that | i read somewhere |
         according to | apparently | rumor | rumour | rumors | rumours | supposedly | allegedly |
         brother says | sister says | friend says | friend said | neighbor says | neighbour says |
         blog said | blog says | article says | article said | told me that everyone | claims that |
         the internet says | their blog | in the movie | in the book | in the novel | in that movie |
         in this movie | in the film | in that film | in that book | in the show | in that show |
         in the game | some people | most people | many people | a lot of people | other people |
         argues that | argue that | the article | the post | the paper says | the book says |
         the speaker said | the talk said | in a talk | the book is about | the movie is about |
         the film is about | the show is about | a story about | the story of | a movie about |
         a book about | the story goes | once upon a time | he claims | she claims",
    ),
    (
        Cue::Authority,
        "my boss | my manager | our manager | our boss | the client | the customer | our client |
         our customer | legal | the auditors | security team | compliance | my doctor | the doctor |
         our cto | our ceo | product owner | the landlord | the school",
    ),
    (
        Cue::Denied,
        "see you | good luck | have fun | enjoy the | enjoy your | have a great | have a good |
         i like how you | i like that you | i like your | i love how you | i love your | nobody said |
         no one said | never said | didn't say | not true that | it's not that | doesn't mean |
         don't have to | doesn't have to | do not have to | don't need to | doesn't need to | needn't |
         no need to | no preference | don't have a preference | don't mind either | not required |
         isn't required | isn't necessary | not necessary | don't care | doesn't matter | never mind |
         nevermind | forget it | forget about it | not a constraint | not a requirement | just kidding |
         only kidding | i'm joking | just joking | kidding",
    ),
    (
        Cue::Asks,
        "^how do | ^how does | ^how can | ^how would | ^how should | ^how is | ^how are | ^how to |
         ^what is | ^what are | ^what does | ^what do | ^what's | ^what about | ^how about | ^why does |
         ^why do | ^why is | ^why are | ^why did | ^where is | ^where are | ^where do | ^who is |
         ^who are | ^which one | ^can you | ^could you | ^would you | ^will you | ^do you | ^does the |
         ^does it | ^does this | ^is it | ^is there | ^are there | ^is this | ^should we | ^should i |
         ^shall we | ^can we | ^can i | ^may i | ^did you | ^did we | ^have you | ^has the | ^any idea |
         ^any ideas | ^are you | ^is the | ^are we | ^tell me | ^explain | ^show me | ^have we | ^do we |
         ^remind me what | ^remind me how",
    ),
    (
        Cue::Offers,
        "i'll | i will | i'm going to | i am going to | let me | i can | i could | you can | you could |
         you may | you might | if you prefer | if you want | if you like | if you'd like | feel free |
         we can | we could | i'd recommend | i recommend | i suggest | i'd suggest | one option |
         another option | next, i | want me to | would you like me | happy to | i'm now | now i |
         first, i | here's how | here is how | make sure you | means that | this means | the error means |
         which means | you'll need | you will need | you must | you'd",
    ),
    (
        Cue::Routine,
        "i've checked | i checked | i looked | i've looked | i read the | i've read | i opened |
         i searched | i've searched | i ran | i've run | i listed | i inspected | i reviewed |
         i've reviewed | i see | i found | i've found",
    ),
    (
        Cue::Decides,
        "decided | have decided | we decide | i decide | we agreed | i agreed | agreed on | agreed to |
         as agreed | we've agreed | agreed that | let's go with | let's use | let's stick with |
         let's keep | let's drop | let's switch | let's store | let's ship | let's call it | let's name |
         let's target | let's make it | let's take | let's not | let's move | let's put | let's settle |
         let's book | let's start with | let's do | let's have | settled on | settled | it's settled |
         we're going with | we are going with | i'm going with | we'll go with | we will go with |
         i'll go with | going with | we chose | i chose | we picked | i picked | we've chosen | we opted |
         i opted | we'll use | we will use | we'll ship | we will ship | we'll store | we'll keep |
         we'll stick | we'll stay | we're using | made up my mind | my mind is made up | i'm taking |
         i'll take the | final decision | the decision is | the verdict | we're dropping | we will drop |
         we'll drop | we're not going to | we won't | we will not | we're moving to | we are moving to |
         we're switching | we are switching | we're keeping | we're sticking | it's decided |
         signed off on | approved | green light | greenlit | we voted | the plan is | we concluded |
         we've settled | i'm accepting | accepted the offer | we'll name | we'll call | we're building |
         decision: | we resolved to | final call | will be called | will be named | as it is |
         and i agree | we agree | it's agreed | is confirmed | are confirmed | confirmed that |
         we're leaving | we'll leave it | we're staying | we stay with | that's settled now |
         that's final | this is final | that's the plan | that's settled | fine with dropping |
         everyone's fine with | everyone is fine with | we're all fine with | everyone agrees |
         everyone agreed | all agree | we all agree | on board with | i'm choosing | ended up choosing |
         ended up going with | i went with | we went with | we're doing | it's official | we landed on |
         we committed to",
    ),
    (
        Cue::OpensCorrection,
        "that's wrong | that is wrong | that's not right | that's not correct | that's incorrect |
         not correct | you misunderstood | you got that wrong | you got it wrong | i misspoke |
         my mistake | i mixed | mixed that up | mixed up | ^wrong | the wrong one | you confused |
         you are confusing | you're confusing | you mixed | i was wrong | i made a mistake | correction: |
         ^correction | you're wrong | you are wrong | not what i meant | not what i said |
         not what i asked | that isn't right | let me correct | to correct | i stand corrected |
         scratch that",
    ),
    (
        Cue::Blames,
        "you put | you wrote | you used | you set | you named | you forgot | you left out | you changed |
         you picked | you spelled | you typed | you swapped | you moved | you made it | you called it |
         you chose | you added",
    ),
    (
        Cue::Asserts,
        "belongs | belong | should be | should have been | was supposed | is supposed to be | has to be |
         must be | it's the | i asked for | i wanted | needs to be | not",
    ),
    (Cue::Objects, "^no, | ^no. | ^nope | ^actually | ^wait | ^sorry | ^well actually | ^in fact"),
    (
        Cue::Corrects,
        "^i said | no, i said | i meant | it's spelled | it is spelled | is spelled | it's pronounced |
         it's written | ^not the…, the | ^not that…, the | ^not the…, but | ^not the…the other |
         i mean the | what i meant | , not | rather than what | instead of what | should have been |
         was supposed to be | wrong about",
    ),
    (
        Cue::Finishes,
        "^done | got sold | sold my | sold the | have been applied | has been applied | have been added |
         has been added | has been fixed | have been fixed | has been removed | have been removed |
         has been updated | have been updated | has been merged | has been deployed | have been merged |
         have been migrated | has been migrated | has been renamed | has been created | have been created |
         we're all set | signed us up | signed up for | is in place | are in place | finally got |
         finally managed | finally arrived | finally passed | i handed | i applied | applied for |
         is up and running | went out this | went out today | is migrated | are migrated | is painted |
         is installed | are installed | is published | is released | is uploaded | is configured |
         is set up | are set up | is up now | is finished | are finished | i ordered | ordered the |
         is done | are done | all done | got done | done with | finished | i've finished | completed |
         is complete | are complete | is completed | fixed | is fixed | are fixed | i've added | i added |
         i've removed | i removed | i've updated | i updated | i've implemented | i implemented |
         i've fixed | i fixed | i've renamed | i renamed | i've moved | i've replaced | i replaced |
         i've written | i wrote | i've created | i created | i've refactored | i refactored |
         i've deleted | i deleted | i've deployed | deployed | is deployed | i've merged | merged |
         is merged | got merged | i've sent | i sent | sent off | i paid | just paid | i've paid |
         paid the | i've booked | i booked | booked the | submitted | i've submitted | shipped |
         is shipped | has shipped | resolved | is resolved | wrapped up | is live | went live |
         is out now | i've called | i called | i've bought | i bought | picked up the | handed in |
         taken care of | we've shipped | we shipped | we fixed | we've fixed | we finished |
         we've finished | i've migrated | i've set up | i set up | i've changed | i've converted |
         i returned | i've renewed | i renewed | renewed my | signed the | crossed off | checked off |
         closed the ticket | is closed | works now | is working now",
    ),
    (
        Cue::Unfinished,
        "not done | isn't done | aren't done | not finished | isn't finished | haven't finished |
         not fixed | isn't fixed | not complete | until | once | when it's done | when you're done |
         after it's done | will be | not yet | hasn't been | haven't been | half done | almost done |
         nearly done | is not done | by the time | should be done | must be | get it done | needs to be |
         has to be | to be done | to be fixed | still not | not merged | not deployed | can be |
         if you're done | partially",
    ),
    (
        Cue::Changes,
        "moved…from…to | moved to | moved our | moved my | switched…to | switched from | switched to |
         switched over | migrated…to | migrated from | no longer | not…anymore | don't…anymore |
         doesn't…anymore | aren't…anymore | isn't…anymore | instead of | replaced…with | replaced by |
         has been replaced | renamed…to | renamed to | was renamed | pushed back | pushed…from…to |
         postponed…to | postponed | postponed until | rescheduled | brought forward | changed from |
         changed…from…to | changed jobs | changed my | is now called | goes by…now | stopped using |
         stopped working at | quit my job | left the company | upgraded…to | upgraded from |
         downgraded…to | took over | takes over from | i started at | used to…now | used to…but |
         i've moved | we've moved | relocated | we've dropped | got rid of | we got rid | we ditched |
         we've ditched | replaces the | my new number | my new address | my new email | has changed to |
         is now | are now | at…now instead | we've switched | we've migrated | went from…to | is now on |
         are now on | was cancelled | was canceled | got cancelled | is cancelled | has been cancelled |
         now on | now use | now uses | now using | now runs | now run | we're on…now | we are on…now |
         is doing…now | are using…now | is using…now | uses…now | we use…now | runs on…now |
         doing…now | left, so | left the team | left us | has left | called off | got moved | was moved |
         has moved | deprecated in favor | deprecated in favour | retired the | swapped…for |
         swapped out | converted…to | converted from",
    ),
    (
        Cue::Breaks,
        "crashes | crashed | crashing | fails | failing | is broken | are broken | broke | broken |
         doesn't work | does not work | don't work | not working | isn't working | stopped working |
         memory leak | leaks | a bug in | bug in | the bug | a bug | there's a bug | root cause |
         the cause | caused by | the culprit | returns an error | returns a 502 | returns a 503 |
         returns a 504 | returns a 404 | returns 502 | returns 503 | returns 504 | returns 404 |
         returns nothing | stale data | return stale | returns stale | eats up | eats…ram | eats…memory |
         uses too much | ends up in spam | end up in spam | goes to spam | go to spam | gets rejected |
         get rejected | gets cut off | is cut off | gets truncated | goes missing | go missing |
         drops the connection | keeps dropping | overheats | is overheating | doesn't turn on |
         won't turn on | won't load | won't connect | no longer works | no longer detected |
         no longer loads | no longer responds | no longer starts | no longer opens | no longer recognized |
         no longer recognised | appears twice | appear twice | show up twice | shows up twice |
         shows twice | bottleneck | the slow part | percent of the time | doesn't show | doesn't respond |
         doesn't save | doesn't update | doesn't sync | doesn't open | doesn't print | unresponsive |
         not detected | not recognized | not responding | is missing from | gets lost | got lost |
         returns null | isn't getting | doesn't get | keeps crashing | keeps failing |
         keeps disconnecting | keeps restarting | keeps losing | keeps asking | keeps showing |
         keeps getting | throws | panics | hangs | freezes | times out | timing out | timed out |
         deadlock | deadlocks | race condition | data loss | corrupts | corrupted | regression | segfault |
         out of memory | runs out of | is down | goes down | went down | outage | tests fail | test fails |
         the build fails | won't start | won't compile | won't build | won't open | doesn't load |
         doesn't start | can't connect | can't log in | can't login | cannot connect | returns 500 |
         returns a 500 | 500 error | returns the wrong | wrong result | shows the wrong | off by one |
         flaky | vulnerability | loses data | fails because | the problem is | the issue is |
         the problem was | the issue was | too slow | very slow | duplicates | gets stuck | is stuck |
         leaking | blocked by | doesn't compile | the error comes from | is leaking",
    ),
    (
        Cue::Forbids,
        "^never | must never | should never | to never | we never | and never | please never | must not |
         mustn't | may not | ^don't | ^do not | ^please don't | ^please do not | not allowed |
         isn't allowed | aren't allowed | is forbidden | are forbidden | forbidden | prohibited |
         needs my | need my | needs approval | requires approval | approval first | my approval |
         permission first | ^no…ever | ^no more | , no…please | so no…please | leave…alone |
         hands off | doesn't allow | don't allow | does not allow | do not allow | doesn't let us |
         won't let us | aren't permitted | is a no-go | no-go | under no circumstances | can't use |
         cannot use | can't eat | cannot eat | can't have | cannot have | no more than | not exceed |
         can't exceed | cannot exceed | off limits | off-limits | not permitted | can't upgrade |
         can't change | cannot change | we can't | we cannot | stay away from | allergic | allergy |
         intolerant | no exceptions | keep away from",
    ),
    (
        Cue::Demands,
        "^keep the | ^keep all | ^keep every | ^keep your | keep…under | keep…below | keep…private |
         must | must be | must have | must stay | is required | are required | required | is mandatory |
         mandatory | at most | at least | hard limit | the limit is | limit of | limited to | maximum |
         minimum | budget is | budget of | can only | only use | may only | only allowed | has to stay |
         have to stay | needs to stay | needs to work | has to work | has to run | needs to run |
         has to support | needs to support | has to be | have to be | need to be | needs to be |
         no later than | always use | ^always | we always | without exception | non-negotiable |
         make sure | ensure that | strictly | it's essential | is essential | ^only | ^avoid | wants all |
         wants us to | want us to | asked us to | asks us to | insists | insist on | expects us |
         stay below | stay under | stay within | stick to | up to a maximum | requires | ^use only",
    ),
    (
        Cue::Owes,
        "have to | has to | need to | needs to | should | ought to | gotta | got to | i must | we must |
         supposed to | i should | we should | i'll have to | we'll have to | somebody has to |
         someone has to | somebody needs to | someone needs to | somebody should | someone should |
         one of us has to | i owe | we owe | need to chase | need to follow",
    ),
    (Cue::Universal, "every | each | all | always | any | whenever you | everything | everyone | all of"),
    (
        Cue::Stays,
        "stay | stays | remain | remains | compatible | compatibility | support | supports | below |
         above | under | within | offline | backward | backwards | keep working | comply | consistent",
    ),
    (
        Cue::Reminds,
        "todo | ^what's missing is | ^what's left is | what is missing | is still missing |
         are still missing | next up | next on the list | up next is | to-do | to do: | remind me |
         remember to | don't forget | do not forget | dont forget | note to self | action item |
         action items | open points | open point | open tasks | remaining tasks | remaining work |
         remaining: | next step | next steps | left to do | still to do | still open | fixme | on my list |
         on my to-do | follow up | follow-up | i need to remember | don't let me forget | still missing |
         left: | pending: | outstanding: | up next",
    ),
    (
        Cue::Commits,
        "i'll | i will | we'll | we will | i promised | i've promised | we promised | i told…i'd |
         i agreed to help",
    ),
    (
        Cue::Occasion,
        "^when you | ^whenever you | ^each time you | ^every time you | any time you | ^if you write",
    ),
    (Cue::AtLast, "finally | at last"),
    (Cue::Left, "still | yet | before the | later | eventually | by tomorrow | by next | by the end | soon"),
    (
        Cue::Manner,
        "answer me | answer in | answers | reply in | replies | respond in | responses in | your answers |
         your replies | your responses | speak to me | talk to me | write to me | explain things |
         when you explain | address me | call me | bullet points | emoji | emojis | be brief | be concise |
         keep it short | summaries | summarize | your tone | ask me before | ask before | ask first |
         check with me | without asking | code comments | commit messages | step by step | when i ask |
         show me the code | your explanations",
    ),
    (Cue::Henceforth, "from now on | going forward | from today on | in future"),
    (
        Cue::Standing,
        "always | never | every time | each time | by default | in general | generally | as a rule |
         usually | for all",
    ),
    (
        Cue::Once,
        "this time | for now | today | tonight | just this once | this once | for this pr | in this pr |
         this week | this morning | temporarily | until | right now | at the moment | for the moment",
    ),
    (
        Cue::Likes,
        "i prefer | doesn't agree with me | don't agree with me | isn't for me | not my thing |
         easier to read | works better for me | better for me | easier for me | suits me | best for me |
         i always | i only drink | i only eat | i only use | i only buy | i mostly | i stick to |
         i go for | i'd go for | would rather | would prefer | i'd prefer | i would prefer | we prefer |
         i'd rather | i would rather | i like | i really like | i don't like | i love | i hate |
         i can't stand | i dislike | i enjoy | my favorite | my favourite | i'm a fan | i'm a big fan |
         i'm not a fan | not a fan of | i'm into | i'd like you to | i want you to | i always use |
         i usually | i tend to | i never use | i never eat | i don't eat | i don't drink | i don't want |
         loves | hates | prefers | likes | can't stand | i find…annoying | i find…easier |
         drives me crazy | pet peeve | works best for me | i'm more of a | i'm vegetarian | i'm vegan |
         i am vegetarian | i am vegan | we like | we love | i'm fond | i appreciate it when",
    ),
    (Cue::Speaker, "i | i'm | i've | i'd | i'll | my | me | mine | myself | i am"),
    (Cue::Group, "we | we're | we've | our | us | ours | we'll"),
    (Cue::Listener, "you | your | you're | yours | you've"),
    (
        Cue::Kin,
        "my wife | my husband | my partner | my girlfriend | my boyfriend | my mother | my mom | my mum |
         my father | my dad | my daughter | my son | my sister | my brother | my kids | my children |
         my friend | my parents | my grandmother | my grandfather | my aunt | my uncle | my cousin |
         my dog | my cat | my roommate | our daughter | our son | our dog | our cat | my fiancé |
         my fiancée | my niece | my nephew | my colleague | my neighbor | my neighbour | our kids |
         my best friend",
    ),
    (
        Cue::Post,
        "manager | our contact | my contact | my boss | our boss | team lead | tech lead | lead of |
         leads the | lead developer | head of | cto | ceo | designer | product owner | developer |
         engineer | teacher | my doctor | lawyer | accountant | landlord | maintainer | owner of |
         in charge of | responsible for | director | coach | supervisor | reviewer | reports to |
         architect | point of contact | contact person | is the admin | our admin | therapist |
         dentist is | mentor | intern | takes care of | professor | handles the | does the | does our |
         is doing the | does all the | handles our | runs the | manages the | owns the",
    ),
    (
        Cue::Identity,
        "my job is | my job at | my name is | my name's | i'm called | is called | is named | are named |
         goes by | i live | i'm from | i am from | lives in | lives at | live in | works at | works for |
         works as | work as | i work | i'm a | i'm an | i am a | i am an | was born | born in | born on |
         grew up | i teach | i run a | i manage | i lead | i'm the | i'm in charge | for a living |
         i study | i'm studying | he's the | she's the | he's our | she's our | i've been in…years |
         i've lived | we live in | years old | studies at | i'm married | married to | i speak |
         native speaker | native language | my pronouns | my surname | my last name | my age | i have two |
         i have three | i've got two | i've got three | i've got a son | i've got a daughter | two kids |
         three kids | guy named | woman named | man named | person named | someone named |
         a colleague named | named after me | i have a son | i have a daughter | i have a dog |
         i have a cat | based in | name is | i own | i moved here | 's name is | my time zone |
         my timezone | i'm left-handed | i'm married to | i graduated | i'm originally | i have one",
    ),
    (
        Cue::Event,
        "appointment | meeting | call with | flight | train | bus | release | launch | deadline | due |
         exam | interview | wedding | party | conference | demo | goes out | goes live | starts | begins |
         leaves | arrives | departs | takes place | is on | are on | is at | is scheduled | scheduled |
         is due | are due | ends on | expires | opens | closes | lands | visit | visits | is coming |
         are coming | concert | dinner | lunch | kickoff | review | standup | workshop | surgery |
         check-in | checkout | delivery | booked for | reservation | ships on | freeze | move-in |
         ceremony | retro | on call | vacation | holiday",
    ),
    (Cue::Yearly, "birthday | anniversary | name day"),
    (
        Cue::Past,
        "was | were | had | did | went | met | talked | last | ago | yesterday | earlier | used to | came |
         took place | happened",
    ),
    (
        Cue::Secret,
        "password | passphrase | passcode | api key | secret key | access key | access token | token is |
         the token | pin is | my pin | pin code | private key | secret is | cvv | recovery code |
         seed phrase | credentials are | credit card number | social security",
    ),
    (
        Cue::Pronoun,
        "^it | ^it's | ^that | ^that's | ^this | ^this is | ^he | ^he's | ^she | ^she's | ^they |
         ^they're | ^these | ^those",
    ),
];
