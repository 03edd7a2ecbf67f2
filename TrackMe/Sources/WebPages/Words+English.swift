import Accounts
import GatewayModel

extension Words {
    func english(_ text: Text) -> String {
        switch text {
        case .product: "TrackMe"
        case .myData: "My data"
        case .links: "Links"
        case .sessions: "Sessions"
        case .desk: "Emergency desk"
        case .fleet: "Boxes"
        case .runs: "Runs"
        case .account: "Account"
        case .signIn: "Sign in"
        case .signOut: "Sign out"
        case .register: "Register"
        case .agreement: "Agreement"
        case .companies: "For companies"
        case .sharing: "Who sees my data"
        case .userName: "User name"
        case .fullName: "First and last name"
        case .password: "Password"
        case .passwordAgain: "Password again"
        case .language: "Language"
        case .userNameHint: "3 to 32 letters, digits, dots or hyphens, beginning with a letter."
        case .passwordHint:
            "At least 12 characters. Some words that belong together only for you are a good choice."
        case .agree: "I have read the agreement, and I agree that this server stores and shows my readings."
        case .agreeFirst: "Without your agreement there is no account."
        case .haveAccount: "I have an account"
        case .noAccount: "I have no account yet"
        case .invitation: "Your account"
        case .invitationIntro(let name):
            "\(name), choose the password of your account. This link works once."
        case .invitationGone:
            "This link does not work. A link works once, and for three days. Ask the operator of this server for another one."
        case .choosePassword: "Save the password, and sign in"
        case .nameTaken: "This user name is taken. Choose another one."
        case .badUserName: "This is no user name."
        case .badName: "Write your name, with 100 characters at most."
        case .passwordsDiffer: "The two passwords differ. Write the same one twice."
        case .passwordShort: "The password is too short."
        case .passwordLong: "The password is too long: 256 bytes at most."
        case .passwordCommon: "This password is easy to guess. Choose another one."
        case .passwordLikeName: "The password must not contain the user name."
        case .signInFailed: "The user name and the password do not belong together."
        case .accountDisabled: "The operator has disabled this account. Ask the operator of this server."
        case .signInRefused:
            "You are not signed in. Check the name and the password. If both are right, there are too many attempts at the "
                + "moment: wait some minutes, or use a browser in which you have signed in before."
        case .tooManyAttempts: "Too many attempts. Wait some minutes, and try again."
        case .noLinkYet: "Your account is not linked to a person yet. Ask the house of the person first."
        case .linkIntro:
            "Your account sees nothing of a person until the yes at home. There, the button of the code for TrackMe on the "
                + "screen of the room shows three lines: house, person and code. Type them here within 10 minutes. The "
                + "house then asks the person."
        case .house: "House"
        case .houseHint: "For example house-12"
        case .person: "Person"
        case .personHint: "For example maria"
        case .linkCode: "Code"
        case .linkCodeHint: "For example 4821-7305"
        case .badLinkCode: "The code has 8 digits. The screen of the house shows it, or homegateway link-code."
        case .ask: "Ask the person"
        case .askSent:
            "The question is on its way. You see the readings here as soon as the person has said yes at home."
        case .noSuchHouse: "No house of this name is registered here. Ask the operator of this server."
        case .badPerson: "The name of a person has small letters, digits and hyphens."
        case .linkExists: "There is a question or a link for this person already."
        case .tooManyLinks: "You have asked often enough today. Try again tomorrow."
        case .tooManyQuestions:
            "Two questions for a link wait for the answer of this person already. Answer them at home first."
        case .linkRole: "Right of the account"
        case .linkRoleHint:
            "An account that looks sees the data. One that acts for the person also ends permissions of companies, sets how "
                + "often values are sent, asks for the limits of alarms and for the fiscal code, and takes part in groups and "
                + "runs."
        case .role(.looks): "looks"
        case .role(.acts): "acts for the person"
        case .lookOnly:
            "You look only. To act for the person, end this link and ask again: somebody at home has to say yes."
        case .state(let state):
            switch state {
            case .asked: "waits for the answer"
            case .linked: "linked"
            case .refused: "refused by the person"
            case .expired: "expired without an answer"
            case .ended: "ended"
            case .failed: "failed"
            }
        case .reason(let code):
            switch code {
            case "no-answer": "The house did not answer in time."
            case "house-removed": "The operator has removed the house from this server."
            case "link-code-wrong":
                "The house shows no such code for this person. Compare all three lines with the screen of the house."
            case "link-code-over":
                "The code is used, too old, or void after wrong ones. Make another one at home."
            case "link-code-missing": "The house asks for a code now. Make one at home, and ask again."
            case "unknown-member": "The software of this house is too old for this. Have it updated first."
            case "data-policy-first": "The person has to accept the data policy at home first."
            default: "The house said: \(code)"
            }
        case .since(let date): "since \(date)"
        case .endLink: "End"
        case .yourLinks: "Your links"
        case .noLinks: "None yet."
        case .live: "Live"
        case .newest: "Newest readings"
        case .at(let time): "at \(time)"
        case .noReadings: "There are no readings."
        case .kind: "Kind"
        case .time: "Time"
        case .value: "Value"
        case .show: "Show"
        case .day: "Day"
        case .week: "Week"
        case .span: "Time span"
        case .earlier: "Earlier"
        case .later: "Later"
        case .lastDay: "Last day"
        case .chartOf(let kind, let dates): "\(kind), \(dates)"
        case .summary(let count, let min, let mean, let max):
            "\(count) readings: from \(min) to \(max), \(mean) on average."
        case .least: "Least"
        case .mean: "Mean"
        case .greatest: "Greatest"
        case .count: "Readings"
        case .download: "Download as CSV"
        case .table: "The same as a table"
        case .lost: "The connection is interrupted. The values are old."
        case .thisSession: "this browser"
        case .endSession: "End this session"
        case .otherSessions: "Browsers that are signed in"
        case .unknownBrowser: "unknown browser"
        case .endOtherSessions: "Sign out all other browsers"
        case .endOthersHint:
            "A browser in which you have signed in lets you in while strangers try your name. After a lost device sign out "
                + "all others: they are then strangers as well."
        case .deleteTitle: "Delete the account"
        case .deleteExplained:
            "Your name, your sessions and your links are deleted at once. Readings of a person to whom nobody is linked "
                + "any more are deleted as well. What the house itself keeps stays in the house. This cannot be undone."
        case .deleteConfirm: "Write your password to confirm"
        case .delete: "Delete my account"
        case .save: "Save"
        case .saved: "Saved."
        case .agreementParagraph(let number): Self.englishAgreement[number]
        case .acceptedOn(let date): "You accepted this agreement on \(date)."
        case .errorTitle(let kind):
            switch kind {
            case .badRequest: "This cannot be read"
            case .notSignedIn, .badToken: "Sign in first"
            case .notAllowed: "This is not allowed"
            case .notFound: "There is no such page"
            case .methodNotAllowed, .conflict: "This is not possible here"
            case .foreignHost: "This address is not the right one"
            case .busy: "Too many requests"
            case .failed: "Something went wrong"
            }
        case .errorHint(let kind):
            switch kind {
            case .badRequest, .notAllowed, .methodNotAllowed, .conflict:
                "Go back, load the page again, and try once more."
            case .notSignedIn, .badToken: "Your session has ended."
            case .notFound: "Check the address."
            case .foreignHost: "Open the server by the address that its operator gave you."
            case .busy: "Wait some minutes, and try again."
            case .failed: "Try again in some minutes. The operator finds the reason in the log."
            }
        case .back: "To the first page"
        }
    }

    static let englishAgreement = [
        "This server keeps your user name, your name and the hash of your password. Your name is encrypted.",
        "When a person has said yes in their own house, the house sends readings of this person's wearables here: for "
            + "example the heart rate, with its time and the device that measured it. The server stores them, and shows "
            + "them to the accounts that the person has accepted.",
        "The person can end this at home at any time; you can end it here at any time. From then on you see nothing.",
        "The server gives readings to nobody else. Third parties get only copies that the house itself has addressed to "
            + "them, after the person's own yes.",
        "You can delete your account at any time, with everything that names you.",
    ]
}
