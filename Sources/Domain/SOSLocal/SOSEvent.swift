public import GatewayModel

/// Event for the machine. Its instant is given beside it.
public enum SOSEvent: Hashable, Sendable {
    case reading(Reading)
    case signal(WearableSignal)
    /// Of the box.
    case fix(Fix)
    /// Of a person's own wearable.
    case position(WearablePosition)
    /// The person exercises until then, or no longer where nil: their exercise limits hold.
    case exercise(PersonID, until: BootInstant?)
    /// A run of the person's own is underway until then, or no longer where nil: their exercise limits hold, for as long
    /// as nobody has said that they have stopped.
    case ownRun(PersonID, until: BootInstant?)
    /// These limits hold at rest from now on, instead of those of the person's plan.
    case limits(PersonID, [LimitRule])
    /// These plans and this place hold from now on, instead of all there were. Open alarms go on as they were raised.
    case plans([SOSPlan], InstalledPlace)
    /// The house was told of an alarm.
    case annunciated(AlarmID)
    /// Report of a channel.
    case channel(ChannelID, ChannelEvent)
    /// A channel is known to be dead (its session is down, or its last test or call failed), or no longer so.
    case channelState(ChannelID, isLive: Bool)
    case abort(AlarmTarget, PersonAct)
    case resolve(AlarmTarget, PersonAct)
    /// A person whom a page of the house knows takes the call, as one at the other end of a channel does.
    case accept(AlarmID, PersonAct)
    /// A person asks on a page for help now.
    case callHelp(WearableSignal, PersonAct)
    case drill(Drill)
    /// Until then the first press of each help button of the person is a test, and calls no help; nil ends it. Refused
    /// while an emergency of anybody is open, and over as soon as an alarm begins.
    case testButtons(PersonID, until: BootInstant?)
    /// The gateway is being stopped in order.
    case stopping
}

/// Report of a channel about an alarm.
///
/// Of each stage a channel has at most one order out, so alarm and stage name the order that a report is about:
/// an early notice that is acknowledged late says nothing of the call that followed it.
public enum ChannelEvent: Hashable, Sendable {
    /// It has taken the order and is sending it.
    case dispatched(AlarmID)
    /// A machine at the other end acknowledged the order of this stage.
    case handedOver(AlarmID, DispatchStage)
    /// It gave the order of this stage up; the machine decides when it is tried again.
    case failed(AlarmID, DispatchStage, reason: String)
    /// A person at the other end takes the call. `of` is nil where the answer does not say. `othersWait`: the channel has
    /// told others besides that person, and they have to learn that the call is taken.
    case accepted(AlarmID, of: PersonID?, by: String, othersWait: Bool = false)
    /// The last word has arrived: the call no longer holds.
    case retracted(AlarmID)
    case retractionFailed(AlarmID, reason: String)

    public var alarm: AlarmID {
        switch self {
        case .dispatched(let id), .handedOver(let id, _), .failed(let id, _, _), .accepted(let id, _, _, _),
            .retracted(let id), .retractionFailed(let id, _):
            id
        }
    }
}

/// Which alarm a person means.
public enum AlarmTarget: Hashable, Sendable {
    case alarm(AlarmID)
    case person(PersonID)
    /// The one there is, or the one that was accepted last, not long ago.
    case theOpenOne
    /// The open alarms of the only person with one, and none that is over: the one big button. Where several
    /// have one, those of the button's owner.
    case whatIsOpen(buttonOf: PersonID)
    /// The open alarms of a person, and none that is over, nor the alarm of the same press of this wearable:
    /// its own button.
    case openOf(PersonID, pressedOn: DeviceID)

    /// The device with the pressed button; nil where no button says so.
    var pressed: DeviceID? {
        switch self {
        case .openOf(_, pressedOn: let device): device
        case .whatIsOpen: .houseButton
        case .alarm, .person, .theOpenOne: nil
        }
    }
}
