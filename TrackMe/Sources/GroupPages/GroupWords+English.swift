import Groups

extension GroupWords {
    func english(_ text: Text) -> String {
        switch text {
        case .title: "Group figures"
        case .isOff: "You are not counted in group figures."
        case .isOn(let date): "You are counted in group figures since \(date), from the next Monday on."
        case .tables(let count):
            count == 1
                ? "You were in one table until now." : "You were in \(count) tables until now."
        case .meaning: "What it means"
        case .companies:
            "Companies may ask how a group of more than 1,000 people is. No company gets a reading of yours by this."
        case .published(let days):
            "Once a week, \(days) days after Sunday, this server publishes a table of counts: how many people of an area, an age "
                + "band and a gender had a weekly median in each of nine ranges, for heart rate, oxygen saturation, systolic "
                + "pressure and glucose."
        case .noise:
            "A random number is added to each count, also where there is nobody. All answers to all companies are sums over "
                + "these tables."
        case .guarantee:
            "Guarantee: whatever all companies together conclude from the tables of one week is at most e² = 7.4 times as "
                + "likely with you as without you. For one of the four kinds of data the factor is 1.65."
        case .attacker:
            "In other words: somebody who knows the values of everybody but you, and sees each number of one table of one "
                + "kind, guesses in 62 of 100 cases whether you are in it. With all four kinds: in 68. A coin: in 50."
        case .year:
            "A year has 52 tables, and what they tell adds up. If your values never change, such an attacker is right in 96 "
                + "of 100 cases after a year of one kind, and nearly always after a year of four. So nobody promises that it is "
                + "anonymous for ever."
        case .rule(.margin):
            "A group of 1,000 people or fewer gets no answer. This server also refuses groups a little above, by a margin that "
                + "chance bridges in one of a million questions at most. So no acceptance tells whether one person is in a "
                + "group."
        case .rule(.letter):
            "A group of 1,000 people or fewer gets no answer. This server answers for each group from 1,001 people on, as its "
                + "operator has chosen. The acceptance of a group of just that size can tell whether one person is in it: there "
                + "the guarantee does not hold."
        case .withdrawal:
            "You can switch it off at any time. Later tables do not count you. Tables that were published stay as they are: "
                + "nobody can call them back."
        case .stored:
            "For this the server keeps your year of birth, your gender and the area of your home. They are erased when you "
                + "switch it off, and everything of it when you delete your account."
        case .switchOn: "Count me in"
        case .change: "Change"
        case .switchOff: "Do not count me any more"
        case .person: "Which person are you?"
        case .birthYear: "Year of birth"
        case .birthYearHint: "For example 1948"
        case .gender: "Gender"
        case .genders(.female): "female"
        case .genders(.male): "male"
        case .genders(.other): "other, or not said"
        case .area: "Area of your home"
        case .choose: "Choose"
        case .agree:
            "I am this person. I have read the guarantee and its limits, and I want to be counted in group figures."
        case .noAreas: "This server has no group figures: its operator has not named any areas."
        case .noLink:
            "First link your account to yourself, so that it acts for you: a person counts once, by the readings of one house."
        case .linkGone:
            "The link to the person that you had chosen has ended. Until you choose another one you are not counted."
        case .areaGone:
            "The area that you had chosen is no longer offered. Until you choose another one you are not counted."
        case .agreeFirst: "Without your consent you are not counted."
        case .badGender: "Choose a gender."
        case .badArea: "Choose an area of the list."
        case .badLink: "Choose a person who has accepted your account."
        case .badYear: "Write the year of your birth in four digits."
        case .counted: "Another account counts this person in already. A person counts once."
        }
    }
}
