public import GatewayModel
public import Store

extension Text {
    /// State of a command to a box, for the pages of fleet and runs.
    /// - Parameter reason: of the refusal, as the box gives it.
    public static func boxCommand(_ state: CommandState, _ reason: String?) -> Text {
        switch state {
        case .sent: Text(en: "on its way, signed", it: "in viaggio, firmato")
        case .done:
            Text(
                en: "done, with the signed receipt of the box",
                it: "eseguito, con la ricevuta firmata della centralina")
        case .refused:
            Text(
                en: "refused by the box" + (reason.map { ": \($0)" } ?? ""),
                it: "rifiutato dalla centralina" + (reason.map { ": \($0)" } ?? ""))
        case .noAnswer: Text(en: "no answer in 23 hours", it: "nessuna risposta in 23 ore")
        }
    }
}
