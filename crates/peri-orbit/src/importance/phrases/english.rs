//! English phrases.

use super::Meaning::{BeforeMoment, Chatter, Cue, Light, Listener, Moment, Neutral, Speaker};
use super::Row;
use crate::importance::Reason;

pub(super) const TABLE: &[Row] = &[
    // Asked for in so many words, and rules without exception.
    (
        Cue(Reason::Remember),
        0.9,
        "^remember | please remember | must remember | should remember | to remember | remember this |
         ^remember that | ^and remember | keep in mind | bear in mind | don't forget | dont forget |
         do not forget | not to forget | shouldn't forget | make a note | take note | note that |
         ^note to self | ^reminder | ^nb | ^n.b | ^fyi | for the record | for future reference |
         memorize | memorise | write this down | write that down | save this | you should know that |
         remind me to | remind me that | ^remind me | ^never forget | must never forget",
    ),
    (
        Cue(Reason::Important),
        0.85,
        "^important | ^very important | ^critical | ^urgent | top priority | high priority | ^attention |
         ^warning | ^caution | mission critical | this matters | matters a lot | non-negotiable |
         strictly | this is important | this is critical | this is crucial | this is very important |
         extremely important | is critical | most important | is very important to me |
         is important to me",
    ),
    (
        Cue(Reason::Important),
        0.35,
        "important | critical | essential | vital | urgent | urgently | priority | significant |
         key point | is important | it's important | is very important | really important |
         super important | so important | is crucial | crucial | is essential | is vital",
    ),
    (
        Cue(Reason::Rule),
        0.85,
        "^never | ^always | ^please never | ^please always | you never | must never | should never |
         must always | should always | to always | to never | sure you never | sure to always |
         under no circumstances | without exception | no exceptions | at all costs | must not | mustn't |
         is forbidden | not allowed | is prohibited | ^do not | every single time | never ever |
         we never | we always | ^avoid | is not permitted | are not permitted | at no time |
         on no account",
    ),
    (
        Cue(Reason::Rule),
        0.45,
        "^don't | ^dont | i never | i always | she never | she always | he never | he always |
         they never | they always | not supposed to",
    ),
    (Cue(Reason::Rule), 0.15, "never | always"),
    (
        Chatter(Reason::Negated),
        0.9,
        "not important | isn't important | not that important | not so important | not very important |
         not really important | isn't that important | isn't really important | is unimportant |
         unimportant | not too important | not urgent | isn't urgent | no need to remember |
         needn't remember | don't need to remember | don't have to remember | you can forget |
         doesn't matter | does not matter | don't matter | didn't matter | not a big deal | no big deal |
         nothing important | nothing special | not worth remembering | not worth mentioning |
         irrelevant | never mind | nevermind | forget it | forget about it | forget what i said |
         ignore this | ignore that | ignore my last | disregard | don't save | don't store this |
         don't remember this | do not remember this | don't bother | who cares | don't care |
         no need to save | not relevant | just testing | only testing | just a test | only a test |
         trivial",
    ),
    (
        Neutral,
        0.0,
        "i remember | we remember | she remembers | he remembers | they remember | you remember |
         do you remember | don't remember | can't remember | couldn't remember | didn't remember |
         remember when | remembers | remembered | never thought | never seen | never heard | never been |
         never knew | never expected | never really | never would | always nice | always fun |
         always good | always great | always happy | always wondered | always the same | as always |
         same as always | i'd love to | i would love to | would love to hear | would love to see |
         important to you | has to do with | have to do with | have to say | have to admit |
         had to laugh | must be | must have been | must've | feel free | feels like | due to |
         in the meeting | the meeting was | no need to worry | you should try | you should see |
         i'm a bit | i'm a little | i am a bit | i am a little | could use a | used to | remind me of |
         reminds me | reminded me | i'll never forget | i will never forget | i never forget |
         remember it like | proud of you | happy for you | glad to hear | glad you | glad i could |
         i'm glad | don't need to | don't have to | doesn't have to | doesn't need to | needn't |
         no need to | not necessary | didn't have to | didn't need to",
    ),
    // What has to be done.
    (
        Cue(Reason::Obligation),
        0.65,
        "must | has to be | have to be | have to | has to | need to | needs to | needs to be |
         required to | is required | are required | is mandatory | mandatory | obliged to | supposed to |
         ought to | got to | gotta | make sure | be sure to | ensure | is due | are due | was due |
         responsible for | in charge of | owe | owes | i'm expected to | can't eat | cannot eat |
         have got to | 've got to | is on call | on-call | on duty | liable | comply | compliance |
         legally | by law | bound to | we owe | is expected to | are expected to | belongs in |
         belong in | has until | have until",
    ),
    (Cue(Reason::Obligation), 0.5, "needs | requires"),
    (Cue(Reason::Obligation), 0.3, "should | shouldn't | had to | needed to | necessary | i need | we need"),
    (
        Cue(Reason::Deadline),
        0.75,
        "deadline | deadlines | due date | due on | due by | due in | expires | expire | expiry |
         expiration | by the end of | no later than | at the latest | end of the month |
         end of the week | cut-off | overdue | by tomorrow | by tonight | by noon | by next | by eod |
         by friday | time limit | closes on | closes at | ends on | ends at | runs out | last day |
         final day | renewal | starting next | effective from | effective immediately | as of",
    ),
    (
        Cue(Reason::Appointment),
        0.55,
        "appointment | appointments | interview | reservation | booked | booking | check-in |
         our flight | my flight | flight to | boarding | scheduled | rescheduled | exam | exams |
         court date | webinar | have a meeting | meeting with | meeting at | meeting on | call with |
         standup | kickoff | demo day | arriving | arrives | departs | leaves at | leaving at |
         leaving on | picks me up | pick up | moving in | ceremony | rehearsal | starts on | start on |
         starts at | takes place | will be held | launch date | goes live | go live | starts school |
         visit from | memorial | service is on | booking reference | confirmation number | pick-up |
         drop-off | layover | train to | bus to | ferry | gate | recital | tournament | match on |
         game on | parent-teacher | open house | checkout | dinner at | lunch at | meet at | meeting is |
         call at | workshop | offsite | retreat | orientation | hearing | trial date | inspection |
         delivery on | delivered on",
    ),
    (
        Cue(Reason::Appointment),
        0.25,
        "meeting | conference | party | trip | concert | dinner with | lunch with | deploys",
    ),
    (
        Cue(Reason::Promise),
        0.7,
        "i promise | i promised | we promised | she promised | he promised | they promised | promised |
         promise to | i'll send | i will send | i owe you | committed to | i swear | gave my word |
         guaranteed | we'll deliver | i'll make sure | i'll take care | i'll bring | agreed to send |
         vowed",
    ),
    (
        Cue(Reason::Promise),
        0.3,
        "i'll | i will | we'll | we will | she will | he will | going to | plan to | plans to |
         planning to | want to | wants to",
    ),
    (
        Cue(Reason::Decision),
        0.7,
        "decided | decision | decide to | we agreed | agreed that | agreed to | agreed on | we chose |
         i chose | settled on | we picked | opted for | we will use | we'll use | we're using |
         we are switching | switching to | switched to | going with | will go with | approved |
         signed off | final answer | concluded | resolved to | moved to | was moved | postponed |
         cancelled | canceled | instead of | rather than | no longer | replaced by | replaced with |
         migrated to | deprecated | dropping support | drop support | dropped support | discontinued |
         end of life | will be removed | is being replaced | taking over | will take over | appointed |
         elected | ruled out | ruling out | we're moving | we are moving | migrating to | renamed to |
         rename to | called off | pushed back | brought forward | green light | greenlit | rejected |
         turned down | signed the | accepted the offer",
    ),
    (
        Cue(Reason::Task),
        0.75,
        "todo | to-do | to do: | action item | action items | fixme | follow up | follow-up | next step |
         next steps | still open: | ^pending | work item | assigned to | blocked by | blocker",
    ),
    (
        Cue(Reason::Instruction),
        0.75,
        "from now on | going forward | in the future | from today | whenever possible | by default |
         as a rule | the rule is | our convention | convention is | our policy | policy is | guideline |
         standard is | every time | each time | whenever you | if i ask | when i ask | when i say |
         call me | address me | answer me | answer in | reply in | respond in | speak to me | write in |
         without asking | ask me before | ask before | ask first | before you | only use | stick to |
         house style | please don't | please do not | don't suggest | don't recommend | don't ever |
         i want you to | i expect you to | always ask | skip the | leave out | limit yourself |
         in bullet points | step by step | no emojis | no emoji",
    ),
    (Cue(Reason::Instruction), 0.6, "^use | ^please use | ^prefer | ^keep | ^always use | ^stop using"),
    (
        Cue(Reason::Instruction),
        0.5,
        "^call | ^book | ^send | ^pay | ^buy | ^order | ^renew | ^cancel | ^ask | ^tell | ^bring |
         ^schedule | ^submit | ^return the | ^water the | ^feed the | ^pick up | ^drop off | ^confirm |
         ^contact | ^email | ^notify | ^sign | ^file the | ^prepare | ^print | ^mail | ^invite",
    ),
    (
        Cue(Reason::Instruction),
        0.2,
        "^run | ^set | ^write | ^put | ^store | ^update | ^add | ^remove | ^fix | ^check | ^finish |
         ^take",
    ),
    // Facts.
    (
        Cue(Reason::Name),
        0.75,
        "name is | names are | is called | are called | was called | is named | was named | named |
         goes by | nickname | nicknamed | known as | my name | i'm called | surname | last name |
         first name | middle name | stands for | is short for | codename | code name | code-named |
         username | maiden name | hostname",
    ),
    (
        Cue(Reason::Property),
        0.75,
        "i live | we live | lives in | live in | lives at | live at | live on | lives on | lives with |
         i'm from | i am from | comes from | grew up in | was born | were born | born in | born on |
         birthday | anniversary | works at | work at | works for | work for | works as | work as |
         i work | employed | my job | runs on | run on | running on | listens on | listen on |
         hosted on | hosted at | deployed on | deployed to | located in | located at | is located |
         is based | based in | is stored | are stored | stored in | lives under | is defined |
         defined as | is a member | belongs to | consists of | my address | address is | email is |
         phone number | number is | password | passphrase | secret is | api key | pin is | code is |
         door code | port is | license plate | licence plate | passport | account number | speaks |
         native language | mother tongue | studies at | study at | studied at | graduated | majored |
         married to | his wife | her husband | is my | are my | i am a | i'm a | i'm an | i am an |
         years old | my age | owns | i own | is responsible | maintained by | owned by | reports to |
         my manager | my boss | is written in | is built with | built on | is the default | defaults to |
         default is | in this repo | in this repository | in this project | this repo | the repository |
         this codebase | minimum version | supports only | only supports | only works | compatible with |
         the owner | headquarters | founded | time zone | timezone | size is | wears size | shoe size |
         is headed by",
    ),
    (
        Cue(Reason::Property),
        0.45,
        ", not | uses | depends on | contains | equals | means that | is made of | plays the | per week |
         every week | every day | every month | every weekend | twice a | once a | ^all | all of our |
         all of the | applies to | only on | only in | in utc | consists | requires at least |
         takes over | is in charge | team lead | tech lead | head of | joins | joined the | stationed |
         enrolled | member of | licensed | certified | fluent in | left-handed | right-handed |
         nearsighted | goes to school | attends | has worked | have worked | for years | since 19 |
         since 20 | ip address | domain | subnet | endpoint | repository is | source of truth |
         canonical | single source | maximum | minimum | at most | at least | limit of | limited to |
         capped at | costs | salary | rent is | budget",
    ),
    (
        Cue(Reason::Property),
        0.2,
        "my dog | my cat | my car | my house | my apartment | our house | our team | my team |
         my company | our company | my school | is on | is at | port | version | server | database |
         client | customer | customers | production | staging",
    ),
    (
        Cue(Reason::Cause),
        0.7,
        "root cause | the cause | caused by | the fix | fixed by | was fixed | is fixed by | workaround |
         the solution | solved by | the reason | turns out | turned out | the bug was | the problem was |
         the trick is | lesson learned | lessons learned | we learned | i learned that | the culprit |
         fails when | fails because | crashes when | breaks when | known limitation | known bug |
         regression | leaks | hangs | deadlock | race condition | corrupts | data loss | outage |
         otherwise | or else | breaks if | will break | will fail | fails if | fails unless |
         only works if | only works when | depends on whether | fails open | fails with | throws |
         times out | timed out | segfault* | crashed | went down | incident | postmortem | post-mortem |
         security hole | vulnerability | exploit | data breach | side effect | gotcha: | caveat | pitfall",
    ),
    // Feelings, likes, health, family.
    (
        Cue(Reason::Feeling),
        0.65,
        "terrified | scared | afraid | frightened | fear of | phobia | panic | furious | angry |
         heartbroken | devastated | depressed | depression | anxious | anxiety | overwhelmed |
         burned out | burnt out | burnout | stressed | exhausted | lonely | grieving | grief | ashamed |
         jealous | betrayed | humiliated | thrilled | overjoyed | ecstatic | so happy | so proud |
         proud of | dream of | my dream | worried about | so excited | nightmare | cried | crying |
         in tears | in love | miss her | miss him | i miss | means a lot | means the world | traumatic |
         trauma | proudest | grateful | passionate",
    ),
    (
        Cue(Reason::Feeling),
        0.25,
        "happy | sad | upset | excited | worried | nervous | proud | annoyed | frustrated |
         disappointed | can't wait | sorry to hear | feel | feeling | felt | glad",
    ),
    (
        Cue(Reason::Preference),
        0.7,
        "i love | we love | she loves | he loves | they love | loves | adore | adores | i hate | hate |
         hates | hated | loathe | despise | detest | can't stand | cannot stand | can't bear | dislike |
         dislikes | i don't like | doesn't like | don't like | prefer | prefers | preferred |
         preference | my favorite | my favourite | favorite is | favourite is | fond of | obsessed with |
         i'm into | i enjoy | enjoys | would rather | i'd rather | big fan of | huge fan |
         i really like | allergic to | wants short | annoys me | drives me crazy | pet peeve | i like |
         he likes | she likes | user likes | user wants | user loves | user hates",
    ),
    (Cue(Reason::Preference), 0.25, "likes | like to | enjoyed | loved | love | liked | fan of"),
    (
        Cue(Reason::Health),
        0.8,
        "allergic | allergy | allergies | diagnosed | diagnosis | diabetes | diabetic | cancer | asthma |
         surgery | operation on | hospital | hospitalized | hospitalised | chemotherapy | insulin |
         prescription | prescribed | medication | antibiotics | blood type | blood pressure |
         heart attack | stroke | epilepsy | migraine | migraines | seizure | pregnant | pregnancy |
         miscarriage | disability | disabled | wheelchair | injury | injured | fractured | broke my |
         broke her | broke his | vegetarian | vegan | gluten | lactose | celiac | coeliac | intolerant |
         kosher | halal | therapist | therapy | rehab | pacemaker | infection | tumor | tumour | autism |
         adhd | dementia | arthritis | anemia | inhaler | epipen | vaccinated | vaccine | dosage |
         sober | chronic | symptoms | ill | quit smoking | quit drinking | penicillin | hives | rash |
         anaphyla* | cardiologist | oncologist | neurologist | psychiatrist | surgeon | pediatrician |
         paediatrician | gynecologist | dermatologist | panic attack | panic attacks | ulcer | hernia |
         thyroid | kidney | liver | concussion | pneumonia | hepatitis | hiv | lupus | parkinson* |
         alzheimer* | bipolar | schizophren* | ptsd | anorexia | eating disorder | overdose |
         transplant | dialysis | ibuprofen | aspirin | statin* | antidepressant* | inhalers |
         hearing aid | braille | blind in | deaf | colorblind | colour-blind | color-blind | nut-free |
         sugar-free | low-carb | pescatarian | shellfish | dairy | hospice | icu | emergency room |
         ambulance | x-ray | mri | biopsy | ultrasound | ivf",
    ),
    (
        Cue(Reason::Health),
        0.35,
        "doctor | dentist | sick | fever | pain | headache | pharmacy | physiotherapy | checkup |
         check-up | clinic | nurse | diet | insomnia | medicine",
    ),
    (
        Cue(Reason::LifeEvent),
        0.85,
        "passed away | died | death of | funeral | got married | getting married | married | engaged |
         divorced | divorce | getting divorced | we separated | broke up | adopted a | i moved to |
         we moved to | proposed to me | proposed to her | proposed to him | gave birth | is expecting |
         expecting a baby | expecting our | adoption | got the job | new job | got hired | was hired |
         got fired | was fired | laid off | lost my job | quit my job | resigned | retired | retiring |
         got promoted | was promoted | got accepted | was accepted | got into | moved in | moving to |
         bought a house | bought our | lost my | lost her | lost his | won the | wedding | newborn |
         our baby | signed the lease | citizenship | my visa | lost the baby | lost our |
         memorial service | stillborn | widowed | buried | cremated | inherited | evicted | homeless |
         bankrupt* | arrested | custody | foster | christening | baptism | bar mitzvah | graduation |
         dropped out | expelled | scholarship | tenure | sabbatical | parental leave | maternity leave |
         paternity leave | relocated | relocating | emigrated | deported | asylum | enlisted |
         deployed overseas | came out as | coming out | sold the house | sold our house | mortgage |
         first house",
    ),
    (
        Cue(Reason::Family),
        0.25,
        "my wife | my husband | my partner | my girlfriend | my boyfriend | my fiancé | my fiancée |
         my mother | my mom | my mum | my father | my dad | my daughter | my son | my kids |
         my children | our daughter | our son | my grandma | my grandmother | my grandfather | grandma |
         grandpa | my parents | my baby | my best friend | my twin",
    ),
    (
        Cue(Reason::Family),
        0.1,
        "my brother | my sister | my aunt | my uncle | my cousin | my family | my friend | my kid",
    ),
    // Points in time.
    (BeforeMoment, 0.0, "by | before | until | till | due | latest | not after | no later"),
    (
        Moment,
        0.35,
        "monday | tuesday | wednesday | thursday | friday | saturday | sunday | next week | next month |
         next year | tomorrow | tonight | this weekend | end of the year | noon | midnight | q1 | q2 |
         q3 | q4 | christmas | easter | new year",
    ),
    (
        Moment,
        0.25,
        "yesterday | last week | last weekend | last month | last year | last night | last summer |
         last winter | ago | this morning | recently",
    ),
    (
        Moment,
        0.2,
        "january | february | april | june | july | august | september | october | november | december |
         today",
    ),
    // Said without saying anything.
    (
        Chatter(Reason::Laughter),
        0.0,
        "lol | lmao | lmfao | rofl | hilarious | xd | lolz | teehee | that's funny | so funny | haha* |
         hehe* | hihi* | ahah* | bahaha* | mwahaha* | funny | lolol | hah | hahah* | i'm dying$ |
         too funny | giggle* | chuckle*",
    ),
    (
        Chatter(Reason::Acknowledgement),
        0.0,
        "ok | okay | okey | okie | k | kk | okok | alright | all right | ^right$ | yes | yeah | yep |
         yup | yea | ya | aye | nope | nah | sure | sure thing | of course | certainly | absolutely$ |
         definitely$ | indeed | exactly | agreed$ | same$ | true$ | correct$ | got it | gotcha |
         understood | i see | makes sense | that makes sense | fair enough | fair point | good point |
         sounds good | sounds great | sounds like a plan | sounds fun | sounds amazing | sounds awesome |
         that works | works for me | fine by me | i'm in | no problem | no worries | np | no prob |
         my pleasure | you're welcome | youre welcome | welcome$ | anytime | any time$ | thanks |
         thank you | thx | ty | tysm | thanks a lot | thanks so much | thank you so much | many thanks |
         much appreciated | appreciate it | cheers | cool | nice | great | good$ | perfect | awesome |
         amazing$ | excellent | wonderful$ | fantastic | brilliant | lovely$ | neat | sweet$ | dope |
         wow | whoa | woah | yay | yes please | no thanks | no thank you | lgtm | looks good |
         looks great | looks good to me | ship it | well done | good job | great job | nice work |
         nice one | great work | good work | congrats | congratulations | roger | copy that | noted$ |
         done$ | will do | on it$ | deal$ | bravo | +1 | love it$ | i love it$ | love that$ | for sure |
         totally | you bet | no way | not bad",
    ),
    (
        Chatter(Reason::Greeting),
        0.0,
        "hi | hello | hey | heya | hiya | yo | howdy | greetings | hi there | hello there | hey there |
         good morning | good afternoon | good evening | good night | goodnight | morning$ | gm$ | gn$ |
         how are you | how are you doing | how's it going | hows it going | how is it going |
         how have you been | how you doing | how do you do | how are things | how's everything |
         what's up | whats up | what's new | wassup | sup$ | what's going on | long time no see |
         nice to meet you | good to see you | great to see you | nice to see you |
         good to hear from you | great to hear from you | nice to hear from you | pleased to meet you |
         bye | goodbye | bye bye | see you | see ya | cya | see you later | see you soon |
         see you tomorrow | talk to you later | talk to you soon | talk soon | catch you later | ttyl |
         later$ | ^have a good | hope you have a good | ^have a great | hope you have a great |
         ^have a nice | hope you have a nice | have fun | good luck | safe travels | safe trip |
         ^have a safe | hope you have a safe | bon voyage | enjoy$ | enjoy your | sleep well |
         sweet dreams | sleep tight | rest well | get some rest | happy birthday | merry christmas |
         happy new year | happy holidays | hope you're doing well | hope you are doing well |
         hope all is well | hope you're well | hope this finds you well | hope you are well | everyone$ |
         farewell | so long$ | welcome back | i'm back | im back | ^evening | ^afternoon | evening all |
         morning all | enjoy the | talk tomorrow | talk later | speak soon | speak later | see you on |
         see you then | see you there | until next time | have a blast | happy friday | happy monday |
         get well soon | drive safe | stay safe | sorry i'm late | hope your day",
    ),
    (
        Chatter(Reason::SmallTalk),
        0.0,
        "hmm* | hm | umm* | um | uh | uhh* | uhm | erm | er | ah | ahh* | oh | ohh* | ooh* | aww* | aw |
         oops | ouch | ugh | phew | huh | meh | eh | gee | geez | omg | oh my god | oh my | wtf | damn |
         whatever | brb | afk | gtg | idk | idc | tbh | imo | btw | one sec | one second | one moment |
         just a sec | just a second | just a moment | just a minute | hold on | wait$ | wait a |
         give me a second | give me a sec | give me a minute | hang on | let me think | let me see |
         let's see | i guess | i suppose | i dunno | dunno | i don't know | not sure$ | no idea$ |
         who knows | kind of$ | sort of$ | maybe$ | perhaps$ | i think so | i guess so | just kidding |
         kidding | jk | joking | just joking | only joking | cute | adorable | so sweet | interesting$ |
         how interesting | that's interesting | really$ | seriously$ | is that so | i didn't know that |
         didn't know that | tell me more | tell me about it | same here | me too | me neither | you too |
         same to you | likewise | don't worry | no need$ | it's fine | it's okay | it's ok |
         that's fine | that's ok | that's okay | all good | that's great | that's awesome | that's cool |
         that's amazing | go ahead | go on | continue | proceed | carry on | keep going | try again |
         try it again | do it again | again please | once more | one more time | retry | run it |
         run it again | run that again | next$ | next one | the next one | another one | show me |
         show me more | do it | do that | just do it | let's go | lets go | let's do it | let's do this |
         stop$ | help$ | test$ | testing$ | testing testing | anyway | anyways | so yeah | you know |
         i mean | by the way | at your service | nothing much | not much | same old | bored |
         what do you think | what about you | how about you | and you$ | sounds right | whoops | my bad |
         sorry$ | sorry about that | pardon | excuse me | good question | great question | can you |
         could you | would you | please | keep up the great work | keep up the good work | keep it up |
         you got this | you've got this | way to go | you rock | catch you soon | hang in there |
         believe in yourself | that sounds great | that sounds amazing | sounds like you |
         that's so cool | that's so nice | that's impressive | i'm so happy for you | so happy for you |
         so proud of you | i'm proud of you | take care of yourself | can't wait to hear |
         can't wait to see | good for you | i'm here for you | don't give up | ha | mhm | mm | mmm* |
         undo | undo that | redo | revert that | scroll down | scroll up | go back | back up |
         that's the one | that's it | that's all | this one | not that one | the other one | not quite |
         could be worse | could be better | not too bad | so so | we'll see | we'll find out |
         time will tell | fingers crossed | knock on wood | cracked me up | made me laugh | made my day |
         love you$ | love ya$ | miss you$ | hugs | xoxo | night night | ready when you are |
         whenever you're ready | clever | silly you | poor thing | bless you | what a day | what a week |
         tgif | yikes | duh | nom | yum | yummy | boo | woohoo | hooray | hurray | wonder why |
         beats me | go for it | knock it off | come on$ | shorter please | longer please |
         make it shorter | make it longer | say that again | come again | more please | that's wrong |
         wrong one | that one$ | any ideas | anything else | what else | what now | now what |
         still there | you there | are you there | are you sure | is it done | are we done |
         almost there | long day | fun fact",
    ),
    // Words that mean nothing by themselves.
    (Speaker, 0.0, "i | me | my | mine | myself | we | us | our | i'm | we're | i've | we've | i'd"),
    (Listener, 0.0, "you | your | yours | yourself | you're | you've | you'd | you'll"),
    (
        Light,
        0.0,
        "he | she | it | they | him | her | them | his | its | their | a | an | the | this | that |
         these | those | is | are | was | were | be | been | being | am | do | does | did | doing |
         have | has | having | had | will | would | can | could | may | might | shall | and | or | but |
         so | if | then | than | as | at | for | from | in | into | of | on | onto | to | with | about |
         up | down | out | off | over | again | just | only | very | really | quite | too | also |
         still | now | here | there | what | which | who | whom | when | where | why | how | some | any |
         all | no | not | it's | that's | there's | here's | what's | who's | they're | he's | she's |
         they've | isn't | aren't | wasn't | weren't | don't | doesn't | didn't | won't | wouldn't |
         can't | couldn't | haven't | hasn't | get | gets | got | go | going | goes | come | comes |
         one | ones | thing | things | something | anything | everything | nothing | someone | somebody |
         anyone | everybody | well | bit | little | lot | lots | more | much | many | know | think |
         say | said | see | look | looks | like | let | let's | tell | make | take | give | want |
         wanted | way | kind | sort | stuff | actually | basically | literally | maybe | perhaps |
         probably | even | else | other | another | such | own | good | bad | better | best | new | old |
         same | right now | moment | time | yet | already | ever | because | though | while | try |
         seems | seem | quick | back | whenever | guess | enough | almost | around | away | both | few |
         soon | pretty | fine | after",
    ),
];
